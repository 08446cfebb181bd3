@echo off
rem Installs the program beside this file at the first start, then serves. Double-click it.
chcp 65001 >nul
cd /d "%~dp0"
set PYTHONUTF8=1
if exist venv\ready goto serve
where py >nul 2>nul && (py -3 -m venv --clear venv) || (python -m venv --clear venv)
if not errorlevel 1 venv\Scripts\python -c "import sys; sys.exit(sys.version_info < (3, 11))"
if errorlevel 1 (
    echo Python 3.11 or newer is needed: https://www.python.org/downloads/
    pause
    exit /b 1
)
venv\Scripts\python -m pip install --quiet --disable-pip-version-check ..\..
if errorlevel 1 (
    echo The installation failed; see above. It needs the internet once.
    pause
    exit /b 1
)
echo. >venv\ready
:serve
venv\Scripts\referee serve
pause
