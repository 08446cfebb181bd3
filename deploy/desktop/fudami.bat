@echo off
rem Installs the program beside this file at the first start of each version, then serves. Double-click it.
chcp 65001 >nul
pushd "%~dp0"
set PYTHONUTF8=1
if not exist ..\..\pyproject.toml (
    echo Unpack the whole archive first, then start this file in its folder deploy\desktop.
    pause
    exit /b 1
)
fc /b ..\..\CHANGELOG.md venv\ready >nul 2>nul && goto serve
(where py >nul 2>nul && py -3 -m venv --clear venv) || python -m venv --clear venv
if not errorlevel 1 venv\Scripts\python -c "import sys; sys.exit(sys.version_info < (3, 11))"
if errorlevel 1 (
    echo Python 3.11 or newer is needed: https://www.python.org/downloads/
    pause
    exit /b 1
)
echo Installing, once ...
venv\Scripts\python -m pip install --quiet --disable-pip-version-check ..\..
if errorlevel 1 (
    echo The installation failed; see above. It needs the internet once.
    pause
    exit /b 1
)
copy /b /y ..\..\CHANGELOG.md venv\ready >nul
:serve
venv\Scripts\referee serve
pause
