package remote

import (
	"time"

	"golang.org/x/crypto/ssh"
)

// KeepAlive says how a server that is lost without a word is noticed: it is asked every Interval, and has Limit to answer.
// The limit is long, as a machine with much to do may take a minute for anything.
type KeepAlive struct {
	Interval, Limit time.Duration
}

// ServerAlive holds for every connection.
var ServerAlive = KeepAlive{Interval: 15 * time.Second, Limit: 3 * time.Minute}

// watch closes the connection of a server that does not answer: a command on it would be waited for without an end. It
// asks as OpenSSH does with its option ServerAliveInterval, and returns when the connection is closed.
func (k KeepAlive) watch(client *ssh.Client) {
	for {
		time.Sleep(k.Interval)
		answer := make(chan error, 1)
		go func() {
			_, _, err := client.SendRequest("keepalive@openssh.com", true, nil)
			answer <- err
		}()
		select {
		case err := <-answer:
			if err != nil { // the connection is closed
				return
			}
		case <-time.After(k.Limit):
			_ = client.Close()
			return
		}
	}
}
