"""Rows of scripts/bench sync about talk (protocol §5.20): a line of it beside a create, in the same run."""
from news_rows import per_create
from sync_rows import LIST, SHARED_LIST, Figure, pushed, row, served_creates

# As long as what CREATE of sync_rows says.
SAY = ('{"jsonrpc":"2.0","id":"{m}","method":"line.say","params":{"stream":"c:' + LIST + '",'
       '"text":"Buy the milk for Sunday, and the flowers","key":"{uuid}"}}')
MARKED_SAY = SAY.replace(LIST, SHARED_LIST).replace("for Sunday, and the flowers", "{m}")


def say(writers):
    @row(f"say{writers}",
         Figure(f"durable line of talk, {writers} writers: CPU beside a create", "µs", "cpu", "create_cpu", 1.15))
    def one(programs):
        line, _ = served_creates(programs, writers, SAY)
        create, _ = served_creates(programs, writers)
        return {"cpu": line["server_cpu_s_per_m"], "create_cpu": create["server_cpu_s_per_m"]}
    return one


for count in (16, 64):
    say(count)


@row("say100",
     Figure("line of talk, pushed to 100: CPU beside a create", "µs/line", "cpu", "create_cpu", 1.0))
def said_to_many(programs):
    return {"cpu": per_create(pushed(programs, message=MARKED_SAY)), "create_cpu": per_create(pushed(programs))}
