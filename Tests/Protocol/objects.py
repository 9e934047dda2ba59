"""Objects of protocol/README.md §6, for `replica.py`: their keys, and the members that they do not have."""

# Rule 5: these values are in no object.
DEFAULTS = {
    "category": {"history": "all", "zone": "UTC", "talk": "on"},
    "group": {"talk": "on"},
    "profile": {"invitedBy": "anybody", "location": "", "locale": ""},
    "post": {"notes": "", "steps": [], "tags": [], "assignees": [], "parts": [], "entries": [], "shares": []},
    "personal": {"note": "", "watch": False, "reminders": []},
    "settings": {"levels": []},
}


def key(item):
    """Tells an object from all others of its stream (§6, Keys)."""
    kind = item["t"]
    if kind in ("personal", "reminder"):
        return kind, item["category"], item["id"]
    if kind in ("membership", "read_mark", "declines"):
        return kind, item["stream"]
    if kind == "notification":
        return kind, item["seq"], item["op"]
    return kind, item["id"]


def set_members(item, members):
    """Sets what is given; null and a default take a member away."""
    for name, value in members.items():
        item[name] = value
        if value is None or DEFAULTS.get(item["t"], {}).get(name) == value:
            del item[name]
