"""Random params for any method: by its schema, with the ids of things that exist where the schema asks for one.

`World` remembers what was made. `Maker` reads protocol/schema and asks it. A new method needs nothing here, unless it names
something by a word that no other method has.
"""
import datetime
import json
import pathlib

from harness import new_id

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "protocol/schema"
WORDS = ["milk", "Brot", "crème brûlée", "наука", "水", "e\u0301", "👩‍👩‍👧", "a\tb".replace("\t", " "), "x" * 120, "#12", "@owner", "%_'\"\\", "0"]
RULES = ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=WEEKLY;INTERVAL=4;BYDAY=SU", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
         "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;UNTIL=20991231", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6"]
ZONES = ["Europe/Lisbon", "Pacific/Auckland", "America/St_Johns", "UTC"]
LANGUAGES = ["en", "de-AT", "fr", "es-MX", "pt-PT"]
# Those of a request that usually make it fail when they are guessed.
CONDITIONS = {"ifVersion", "occurrenceDue", "base", "seen", "after", "successor", "group", "zone", "location"}


class World:
    """What there is, by kind and place, as far as answers told."""

    def __init__(self, random):
        self.random = random
        self.things = {}
        self.heads = {}

    def add(self, kind, thing, place=None):
        known = self.things.setdefault((kind, place), [])
        if thing not in known:
            known.append(thing)
            # The newest are those that most happens to.
            del known[:-40]

    def some(self, kind, place=None):
        """One that exists, or None."""
        known = self.things.get((kind, place))
        return self.random.choice(known) if known else None

    def seq(self, stream):
        head = self.heads.get(stream, 1)
        return self.random.randint(max(1, head - 20), head)


class Maker:
    def __init__(self, world, random):
        self.world, self.random = world, random
        self.common = json.loads((SCHEMAS / "common.json").read_text())["$defs"]
        requests = json.loads((SCHEMAS / "requests.json").read_text())["$defs"]
        self.methods = {name: request["properties"].get("params", {}) for name, request in requests.items()}

    def commands(self):
        """Those that carry a key."""
        return [name for name, params in self.methods.items() if "key" in params.get("properties", {})]

    def params(self, method):
        """Random params of the method, without its key, as far as possible about one and the same place."""
        schema, here, made = self.methods[method], {"method": method}, {}
        properties, required = schema.get("properties", {}), set(schema.get("required", []))
        for choice in [schema.get("anyOf"), schema.get("oneOf")]:
            required |= set(self.random.choice(choice).get("required", [])) if choice else set()
        order = sorted(properties, key=lambda name: (name not in ("stream", "category"), name not in ("post", "id"), name))
        for name in order:
            if name == "key" or name not in required and self.random.random() > (0.05 if name in CONDITIONS else 0.3):
                continue
            value = self.value(name, properties[name], here)
            if value is not None or "null" in json.dumps(properties[name]):
                made[name] = here[name] = value
        return made

    def value(self, name, schema, here):
        if self.random.random() < 0.95:
            sense = getattr(self, f"make_{name}", None)
            value = sense(here) if sense else None
            if value is not None:
                return value
        return self.by_schema(name, schema, here)

    # By the words of the protocol.

    def make_category(self, here):
        return self.world.some("category")

    def make_to(self, here):
        if here["method"] in ("post.copy", "post.move_to"):
            return self.world.some("category")
        return self.day(0, 30) if here["method"] == "stats.get" else self.of_history(here) or self.day(0, 30)

    def make_from(self, here):
        return self.of_history(here) or self.day(-30, 0)

    def of_history(self, here):
        return self.world.seq(f"c:{here.get('category')}") if here["method"].startswith("history.") else None

    def make_until(self, here):
        return self.moment(1) if here["method"] == "post.snooze" else None

    def make_stream(self, here):
        kind = self.random.choice(["category", "category", "category", "group"])
        found = self.world.some(kind)
        return found and f"{kind[0]}:{found}"

    def make_id(self, here):
        area, _, verb = here["method"].partition(".")
        if verb in ("add", "make", "make_code", "send", "save", "upsert", "guest", "register") and area not in ("step", "reminder"):
            return new_id()
        if here["method"] == "post.take_back":
            return self.world.some("completed", here.get("category"))
        if area == "contest":
            kind = {"join": "race", "withdraw": "race", "reach": "goal"}.get(verb, "coop with steps")
            return self.world.some(kind, here.get("category"))
        if here["method"] in ("run.phase", "run.end"):
            return self.world.some("running", here.get("category"))
        if here["method"] == "token.revoke":
            return self.world.some("token")
        if here["method"] == "invitation.revoke":
            return self.world.some("invitation", here.get("stream"))
        place = {"post": here.get("category"), "step": here.get("category"), "run": here.get("category"), "reminder": here.get("category"), "tag": here.get("category"),
                 "link": here.get("category")}.get(area)
        kind = {"step": "post", "run": "post", "reminder": "post", "session": "session"}.get(area, area)
        return self.world.some(kind, place)

    def make_bot(self, here):
        of_bot = ("token.revoke", "webhook.remove", "webhook.pause", "webhook.resume")
        return self.world.some("bot of", here.get("id")) if here["method"] in of_bot else self.world.some("bot")

    def make_address(self, here):
        # The server does not send to its own machine: the webhook is paused.
        return "http://127.0.0.1:9/hook"

    def make_event(self, here):
        return self.world.some("completion", here.get("id"))

    def make_line(self, here):
        return self.world.some("line", here.get("stream"))

    make_answers = make_line

    def make_sign(self, here):
        return self.random.choice(["👏", "🎉", "👍"])

    def make_post(self, here):
        return self.world.some("post", here.get("category") or (here.get("stream") or "")[2:])

    def make_step(self, here):
        return new_id() if here["method"] == "step.add" else self.world.some("step", here.get("id"))

    def make_run(self, here):
        return new_id() if here["method"] == "run.start" else self.world.some("run", here.get("id"))

    def make_before(self, here):
        kind, place = {"post.move": ("post", here.get("category")), "step.move": ("step", here.get("id")),
                       "category.move": ("category", None)}.get(here["method"], (None, None))
        return self.world.some(kind, place) if kind else None

    def make_after(self, here):
        return self.world.some("post", here.get("category")) if here["method"] == "post.move" else None

    def make_copy(self, here):
        return new_id()

    def make_tag(self, here):
        return self.world.some("tag", here.get("category"))

    def make_user(self, here):
        return self.world.some("user")

    make_person = make_successor = make_user

    def make_username(self, here):
        return self.world.some("username")

    def make_group(self, here):
        return self.world.some("group")

    def make_code(self, here):
        return self.world.some("code")

    def make_events(self, here):
        return [self.world.seq(here.get("stream")) for _ in range(self.random.choice([1, 1, 1, 3]))]

    def make_seq(self, here):
        return self.world.seq(here.get("stream") or f"c:{here.get('category')}")

    def make_day(self, here):
        return self.day(-3, 3) if here["method"] == "digest.get" else None

    def make_title(self, here):
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 3)))

    make_name = make_content = make_text = make_notes = make_note = make_title

    def make_zone(self, here):
        return self.random.choice(ZONES)

    def make_locale(self, here):
        return self.random.choice(LANGUAGES)

    def make_due(self, here):
        if here["method"] == "post.query":
            return None
        if self.random.random() < 0.5:
            return {"date": self.day(-5, 60)}
        return {"at": f"{self.day(-5, 60)}T{self.random.randint(0, 23):02}:30", "zone": self.random.choice(ZONES)}

    make_occurrenceDue = make_due

    def make_recurrence(self, here):
        return {"rule": self.random.choice(RULES), **({"from": "completion"} if self.random.random() < 0.3 else {})}

    def make_occurrence(self, here):
        return self.random.choice([1, 1, 2, 3])

    def make_plan(self, here):
        return {"at": f"{self.day(0, 9)}T10:00", "zone": "Europe/Lisbon", "minutes": 50}

    def make_commands(self, here):
        methods = ["post.add", "post.edit", "post.complete", "step.add", "tag.add", "post.move", "category.edit", "post.remove", "post.restore"]
        return [{"method": method, "params": self.params(method)} for method in self.random.choices(methods, k=self.random.randint(1, 4))]

    def make_source(self, here):
        return {"name": "forge", "id": str(self.random.randint(1, 50))}

    def day(self, low, high):
        return str(datetime.date.today() + datetime.timedelta(self.random.randint(low, high)))

    def moment(self, hours):
        return int(1000 * (datetime.datetime.now().timestamp() + 3600 * hours))

    # By the schema alone.

    def by_schema(self, name, schema, here):
        while "$ref" in schema:
            kind = schema["$ref"].rsplit("/", 1)[1]
            if kind in ("uuid", "key"):
                return new_id()
            if kind in ("stream", "listStream"):
                return f"c:{new_id()}"
            schema = self.common[kind]
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        for word in ("oneOf", "anyOf"):
            if word in schema and "type" not in schema:
                return self.by_schema(name, self.random.choice(schema[word]), here)
        return getattr(self, "any_" + schema.get("type", "null"))(name, schema, here)

    def any_null(self, name, schema, here):
        return None

    def any_boolean(self, name, schema, here):
        return self.random.random() < 0.5

    def any_integer(self, name, schema, here):
        low, high = schema.get("minimum", 0), schema.get("maximum", 1000)
        return self.random.choice([low, min(high, low + 1), min(high, low + 7), self.random.randint(low, min(high, low + 1000))])

    def any_string(self, name, schema, here):
        pattern = schema.get("pattern", "")
        if "T[0-2]" in pattern:
            return f"{self.day(0, 30)}T10:00"
        if pattern.startswith("^[0-9]{4}"):
            return self.day(-10, 30)
        if pattern.startswith("^c:"):
            found = self.world.some("category")
            return f"c:{found or new_id()}"
        if "[0-9a-f]{8}" in pattern:
            return new_id()
        if pattern.startswith("^htt"):
            return "https://forge.example/1"
        low, high = schema.get("minLength", 0), schema.get("maxLength", 40)
        word = self.random.choice(WORDS)[:max(low, min(high, 40))]
        return word.ljust(low, "x")

    def any_array(self, name, schema, here):
        low, high = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
        items = [self.by_schema(name, schema["items"], here) for _ in range(self.random.randint(low, max(low, high)))]
        return list(dict.fromkeys(items)) if schema.get("uniqueItems") else items

    def any_object(self, name, schema, here):
        required = set(schema.get("required", []))
        for word in ("oneOf", "anyOf"):
            if word in schema:
                required |= set(self.random.choice(schema[word]).get("required", []))
        chosen = {key: self.value(key, part, here) for key, part in schema.get("properties", {}).items()
                  if key in required or self.random.random() < 0.3}
        for key, needed in schema.get("dependentRequired", {}).items():
            if key in chosen:
                chosen |= {each: self.value(each, schema["properties"][each], here) for each in needed if each not in chosen}
        return {key: value for key, value in chosen.items() if value is not None}
