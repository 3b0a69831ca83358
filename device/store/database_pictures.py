"""Keep pictures in the same database as the log, for boxes that share no folder."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from device.store.errors import PictureNotFoundError
from device.store.files import is_picture_name
from device.store.log_schema import PICTURES
from device.store.pictures import CROPS_FOLDER, PHOTOS_FOLDER, PicturePlace
from device.store.postgresql_log import PostgresqlLog

_P = PICTURES.c


class DatabasePictures:
    """Pictures as rows of the database, each written in one transaction."""

    folder = None

    def __init__(self, log: PostgresqlLog) -> None:
        self._log = log

    def keep(self, place: PicturePlace, data: bytes) -> None:
        """Write the row, unless the same picture is there already."""
        folder, name = _folder_and_name(place)
        row = insert(PICTURES).values(folder=folder, name=name, data=data)
        with self._log.writing() as connection:
            connection.execute(row.on_conflict_do_update(
                index_elements=[_P.folder, _P.name], set_={"data": data}, where=_P.data != data
            ))  # fmt: skip

    def read(self, place: PicturePlace) -> bytes:
        """Return the row's bytes."""
        rows = self._log.rows(select(_P.data).where(_row_of(place)))
        if not rows:
            raise PictureNotFoundError("/".join(place))
        return bytes(rows[0][0])

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of the set's rows."""
        if not is_picture_name(tile_set):
            return frozenset()
        rows = self._log.rows(select(_P.name).where(_P.folder == f"{CROPS_FOLDER}/{tile_set}"))
        return frozenset(str(name) for (name,) in rows)

    def photographs(self) -> frozenset[str]:
        """Return the names of the photographs' rows."""
        rows = self._log.rows(select(_P.name).where(_P.folder == PHOTOS_FOLDER))
        return frozenset(str(name) for (name,) in rows)

    def places(self) -> Iterator[PicturePlace]:
        """Yield the places of all rows."""
        for folder, name in self._log.rows(select(_P.folder, _P.name).order_by(_P.folder, _P.name)):
            yield (*str(folder).split("/")[1:], str(name))

    def size(self, place: PicturePlace) -> int:
        """Return the length of the row's bytes, without reading them."""
        if not is_picture_name(*place):
            return 0
        rows = self._log.rows(select(func.length(_P.data)).where(_row_of(place)))
        return int(rows[0][0]) if rows else 0

    def delete(self, place: PicturePlace) -> None:
        """Delete the row."""
        with self._log.writing() as connection:
            connection.execute(delete(PICTURES).where(_row_of(place)))

    def try_write(self) -> None:
        """Do nothing: the log in the same database is checked."""


def _row_of(place: PicturePlace) -> ColumnElement[bool]:
    folder, name = _folder_and_name(place)
    return and_(_P.folder == folder, _P.name == name)


def _folder_and_name(place: PicturePlace) -> tuple[str, str]:
    """Return folder and name; raise PictureNotFoundError for a name that no box gives."""
    if not is_picture_name(*place):
        raise PictureNotFoundError("/".join(place))
    *tile_set, name = place
    return "/".join((CROPS_FOLDER, *tile_set)) if tile_set else PHOTOS_FOLDER, name
