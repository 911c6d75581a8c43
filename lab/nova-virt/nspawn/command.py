"""Run the host's tools."""
import subprocess


class CommandError(RuntimeError):
    pass


def run(*words, check=True):
    """Run a command, return its output; a failure carries what it said."""
    done = subprocess.run(words, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if check and done.returncode:
        raise CommandError('%s: %s' % (
            ' '.join(words), done.stderr.strip() or done.returncode))
    return done.stdout.strip()
