/* The parent of a pod's containers: it holds the namespaces, reaps orphans and ends when told to. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal)
{
	(void)signal;
	_exit(0);
}

static void reap(int signal)
{
	(void)signal;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

int main(void)
{
	signal(SIGINT, end);
	signal(SIGTERM, end);
	signal(SIGCHLD, reap);
	for (;;)
		pause();
}
