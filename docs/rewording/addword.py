"""Add sentences to the catalogue: addword.py JA EN [JA EN ...], in the root of a checkout."""
import sys, subprocess
from pathlib import Path
from babel.messages.pofile import read_po, write_po
po=Path("referee/translations/en/LC_MESSAGES/messages.po")
header=po.read_text().split("\n\n",1)[0]
c=read_po(po.open("rb"),locale="en")
a=sys.argv[1:]
for ja,en in zip(a[::2],a[1::2]):
    if en=="-": c.delete(ja)
    else:
        e=en.split("||"); c.add((ja,ja) if len(e)>1 else ja, tuple(e) if len(e)>1 else en)
write_po(po.open("wb"),c,width=0,sort_output=True,omit_header=True)
po.write_text(header+"\n\n"+po.read_text().strip("\n")+"\n")
subprocess.run([sys.executable,"-m","babel.messages.frontend","compile","-d","referee/translations"],check=True,capture_output=True)
