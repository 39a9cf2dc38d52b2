"""Second recordings: the same sensors and hosts once more, with other hearts, other noise, another day."""

from .scenarios import SCENARIOS, scenario

AGAIN = {
    "polar-h7": "2026-04-02T18:12:09.118250",
    "wahoo-tickr": "2026-04-03T07:45:31.902112",
    "scosche-rhythm-plus": "2026-04-04T12:00:58.330071",
}


def _register():
    first = {known.name: known for known in SCENARIOS}
    for name, start in AGAIN.items():
        # Randomness is seeded with the name: another name, another heart.
        scenario(f"Comparisons/{name}-again", start)(first[name].play)


_register()
