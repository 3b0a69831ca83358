"""The club beyond a single table: several tables, players, seasons and tournaments."""

from scorer.message import Message


class ClubError(Exception):
    """A refused action, with the sentence that explains why."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence.key)
        self.message = sentence
