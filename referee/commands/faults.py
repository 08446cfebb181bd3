"""Unusable data and errors of the program as sentences, for every command."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import click

from referee.upkeep.command_help import LocalGroup
from referee.upkeep.language import LANGUAGE, in_one, in_words

DAMAGED = (
    "データが壊れています：{}\n何も変更していません。このデータを使う札見をすべて止め、フォルダー全体を"
    "コピーしてから、`referee restore` でバックアップを戻してください。",
    "The data is damaged: {}\nNothing was changed. Stop every referee that uses this data, copy the"
    " whole folder, then put back a backup with `referee restore`.",
)
LOST = (
    "{} に記録がありません。前に使われたフォルダーなので、新しく始めずに止まりました。"
    "何も変更していません。\n{}新しく始めるなら、このフォルダーの名前を変えてください。",
    "{} contains no records, although its folder was used before, so nothing was begun anew and"
    " nothing was changed.\n{}To begin anew, rename this folder.",
)
FROM_BACKUP = (
    "最後のバックアップを戻すには：`referee restore {}`\n",
    "To put back the latest backup: `referee restore {}`\n",
)
FROM_ELSEWHERE = (
    "バックアップがほかにあれば、`referee restore` で戻してください。",
    "If there is a backup elsewhere, put it back with `referee restore`. ",
)
FOREIGN_JOURNAL = (
    "隣にあるデータベースのものではないジャーナルがあります：{0}\n使用中だったファイルの上に、別の"
    "ファイルがコピーされたようです。何も変更していません。隣のファイルを使うなら、このジャーナルを別の場所に"
    "移してください。バックアップを戻すには、コピーではなく `referee restore` を使います。",
    "{0} does not belong to the database beside it: a file seems to have been copied over one that"
    " was in use. Nothing was changed.\nTo use the file beside it, move {0} elsewhere. To put back"
    " a backup, use `referee restore` instead of copying.",
)
UNAVAILABLE = (
    "データを読み書きできません：{}\nファイルなら、ネットワークドライブ（NFS、SMB）にないか、ディスクの空きと"
    "フォルダーの持ち主を、サーバーなら、動いているかとアドレスを確かめてください。"
    "`referee doctor` が調べます。",
    "The data cannot be read or written: {}\nA file: check that it is on no network drive (NFS,"
    " SMB), the free disk space, and who owns the folder. A server: check that it runs and that the"
    " address is right. `referee doctor` examines both.",
)
LOCKED = (
    "データがほかから使われていて、開けません：{}\nほかのプログラムが使っていなければ、フォルダーがネットワーク"
    "ドライブ（NFS、SMB）にあるのかもしれません。そこではファイルを正しくロックできないので、フォルダーを"
    "このパソコンのディスクに移してください（場所は REFEREE_DATA で変えられます）。",
    "The data is in use and cannot be opened: {}\nIf no other program uses it, the folder may be on"
    " a network drive (NFS, SMB), where files cannot be locked reliably: move the folder to a disk"
    " of this computer (REFEREE_DATA names another place).",
)
WRONG_PATH = (
    "{}\nフォルダーがあるか、名前が正しいか、このアカウントで読み書きできるかを確かめてください。",
    "{}\nCheck that the folder exists, that the name is right, and that this account may read and"
    " write there.",
)
WRONG_ADDRESS = (
    "データベースを開けません：{}\nREFEREE_DATABASE、--from、--to には sqlite:PATH か"
    " postgresql://USER@HOST/NAME と書きます。",
    "The database cannot be opened: {}\nREFEREE_DATABASE, --from and --to take sqlite:PATH or"
    " postgresql://USER@HOST/NAME.",
)
NEWER = (
    "このデータは、札見の新しいバージョンで書かれています：{}\n何も変更していません。そのバージョンを"
    "インストールするか、それより前のバックアップを `referee restore` で戻してください。",
    "This data was written by a newer version of referee: {}\nNothing was changed. Install that"
    " version, or put back an earlier backup with `referee restore`.",
)
OLDER = (
    "このデータは、最初のリリースより前のプログラムで書かれていて、引き継げません：{}\n何も変更して"
    "いません。そのプログラムの `referee export --history` で書き出し、このデータを別の場所に移して"
    "から、`referee import` で読み込んでください。",
    "This data was written by a program of before the first release: {}\nNothing was changed. Write"
    " it into a file with that program (`referee export --history`), move this data elsewhere, and"
    " read the file with `referee import`.",
)
NO_RIGHTS = (
    "このアカウントには、データベースに表を作る権限がありません（{}）。データベースかスキーマの所有者にしてから、もう一度お試しください。",
    "The account may not make or change tables ({}). Make it the owner of the database or of its"
    " schema, then try again.",
)
WEAK_KEY = (
    "REFEREE_KEY が短すぎます。32文字以上の乱数にしてください（`openssl rand -hex 32`）。",
    "REFEREE_KEY is too short. Use 32 random characters or more (`openssl rand -hex 32`).",
)
AT_FAULT = (
    "札見のプログラムの誤りで、答えを出せません（{}）。判定ではありません。この行と、読ませたファイルが"
    "あればそれを、開発者に知らせてください。",
    "An error in the program prevents an answer ({}). This is no verdict: please report this line,"
    " and the file, if you named one.",
)


class AtFault(click.ClickException):
    """The program itself is at fault; the command exits with 3, which no answer does."""

    exit_code = 3

    def __init__(self, fault: Exception, lang: str | None) -> None:
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{type(fault).__name__}: {fault}, {Path(place.filename).name}:{place.lineno}"
        ja, en = (each.format(where) for each in AT_FAULT)
        super().__init__(in_one(ja, en, lang))


class Answering(LocalGroup):
    """A command group that explains unusable data in a sentence, instead of a stack trace.

    An unexpected exception becomes a sentence, too: its exit status 1 would read as an answer.
    """

    def invoke(self, context: click.Context) -> Any:
        from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

        from referee.http.invites import WeakKey
        from referee.store import (
            Damaged,
            ForeignJournal,
            LostData,
            NewerData,
            NoRights,
            OlderData,
            Unavailable,
            WrongAddress,
        )

        try:
            return super().invoke(context)
        except LostData as fault:
            raise _lost(*fault.args) from fault
        except ForeignJournal as fault:
            raise refused(FOREIGN_JOURNAL, fault) from fault
        except Damaged as fault:
            raise refused(DAMAGED, fault) from fault
        except NewerData as fault:
            raise refused(NEWER, fault) from fault
        except OlderData as fault:
            raise refused(OLDER, fault) from fault
        except WrongAddress as fault:
            raise refused(WRONG_ADDRESS, fault) from fault
        except NoRights as fault:
            raise refused(NO_RIGHTS, fault) from fault
        except (Unavailable, sqlite3.OperationalError) as fault:
            raise refused(LOCKED if "lock" in str(fault) else UNAVAILABLE, fault) from fault
        except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as fault:
            raise refused(WRONG_PATH, f"{fault.filename}: {fault.strerror}") from fault
        except WeakKey as fault:
            raise refused(WEAK_KEY) from fault
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as fault:
            raise AtFault(fault, context.meta.get(LANGUAGE)) from fault


def refused(words: tuple[str, str], about: object = "") -> click.ClickException:
    """The error with ``words`` (Japanese, English) in the language of the locale."""
    ja, en = (each.format(about) for each in words)
    return click.ClickException(in_words(ja, en, "\n"))


def _lost(file: Path, backup: Path | str) -> click.ClickException:
    advice = FROM_BACKUP if backup else FROM_ELSEWHERE
    ja, en = (text.format(file, how.format(backup)) for text, how in zip(LOST, advice, strict=True))
    return click.ClickException(in_words(ja, en, "\n"))
