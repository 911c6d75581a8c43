package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"vnfm/toolchain/command-plugin/remote"
)

func TestHostKeys(t *testing.T) {
	server := startSSHD(t)
	other := prepareSSHD(t)
	for name, hostKey := range map[string]property.Value{
		"first": text(server.hostKeys[0]), "second": text(server.hostKeys[1]), "not checked": absent,
	} {
		t.Run(name, func(t *testing.T) {
			connection := server.connection(t, properties{"hostKey": hostKey})
			must(t, newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0))
		})
	}
	t.Run("wrong", func(t *testing.T) {
		connection := server.connection(t, properties{"hostKey": text(other.hostKeys[0])})
		err := newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
		expectError(t, err, "connection.hostKey is SHA256:", "host key of 127.0.0.1")
	})
	t.Run("not a key", func(t *testing.T) {
		connection := server.connection(t, properties{"hostKey": text("SHA256:abc")})
		err := newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
		expectError(t, err, "connection.hostKey", "ssh-ed25519")
	})
}

func TestRefusedPortIsTriedAgainUpToTheLimit(t *testing.T) {
	server := prepareSSHD(t)
	connection := server.connection(t, properties{"dialErrorLimit": property.New(3.0)})
	start := time.Now()
	err := newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
	expectError(t, err, "connection refused", "after 4 failed attempts (dialErrorLimit 3)")
	if took := time.Since(start); took < 400*time.Millisecond || took > 5*time.Second {
		t.Errorf("it took %s, want 0.1 + 0.15 + 0.225 s", took)
	}
}

func TestServerThatComesUpLateIsReached(t *testing.T) {
	server := prepareSSHD(t)
	time.AfterFunc(time.Second, func() { server.start(t) })
	connection := server.connection(t, properties{"dialErrorLimit": property.New(-1.0)})
	must(t, newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 30))
}

func TestServerThatSaysNothingFailsAtPerDialTimeout(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	connection := prepareSSHD(t).connection(t, properties{
		"port": property.New(float64(listener.Addr().(*net.TCPAddr).Port)), "perDialTimeout": property.New(1.0),
	})
	err = newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
	expectError(t, err, "deadline exceeded", "after 1 failed attempts")
}

// startCommandBehindRelay starts a command of a minute. It returns the relay that leads to it, and what the command ends with.
func startCommandBehindRelay(t *testing.T) (*relay, <-chan error) {
	t.Helper()
	server := startSSHD(t)
	relay := startRelay(t, server.port)
	connection := server.connection(t, properties{"port": property.New(float64(relay.port))})
	mark := filepath.Join(server.dir, "mark")
	failed := make(chan error)
	go func() {
		failed <- newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("touch " + mark + "; sleep 60")}, 0)
	}()
	waitFor(t, "the command to begin", func() bool { _, err := os.Stat(mark); return err == nil })
	return relay, failed
}

func TestConnectionThatIsDroppedFailsTheCommand(t *testing.T) {
	relay, failed := startCommandBehindRelay(t)
	relay.drop()
	expectError(t, <-failed, "exited without exit status")
}

func TestServerThatIsLostWithoutAWordFailsTheCommand(t *testing.T) {
	former := remote.ServerAlive
	remote.ServerAlive = remote.KeepAlive{Interval: 200 * time.Millisecond, Limit: time.Second}
	t.Cleanup(func() { remote.ServerAlive = former })
	relay, failed := startCommandBehindRelay(t)
	relay.mute.Store(true)
	expectError(t, <-failed, "exited without exit status")
}

func TestTimeoutAndCancelCloseTheConnection(t *testing.T) {
	server := startSSHD(t)
	relay := startRelay(t, server.port)
	connection := server.connection(t, properties{"port": property.New(float64(relay.port))})
	inputs := properties{"connection": connection, "create": text("echo begun; sleep 60")}
	t.Run("timeout", func(t *testing.T) {
		expectError(t, newPlugin(t, remoteCommand).create(inputs, 1), "deadline exceeded", "begun")
		waitFor(t, "the connection to close", func() bool { return relay.open() == 0 })
	})
	t.Run("cancel", func(t *testing.T) {
		p := newPlugin(t, remoteCommand)
		time.AfterFunc(time.Second, func() { _ = p.server.Cancel() })
		expectError(t, p.create(inputs, 0), "canceled")
		waitFor(t, "the connection to close", func() bool { return relay.open() == 0 })
	})
	t.Run("while dialling", func(t *testing.T) {
		refused := prepareSSHD(t).connection(t, properties{"dialErrorLimit": property.New(-1.0)})
		err := newPlugin(t, remoteCommand).create(properties{"connection": refused, "create": text("true")}, 1)
		expectError(t, err, "deadline exceeded", "failed attempts")
	})
}

func TestProxyIsTheWayToTheServer(t *testing.T) {
	bastion, server := startSSHD(t), startSSHD(t)
	proxied := server.connection(t, properties{"proxy": bastion.connection(t, nil)})
	p := newPlugin(t, remoteCommand)
	must(t, p.create(properties{"connection": proxied, "create": text("echo ${SSH_CONNECTION##* }")}, 0))
	p.expectOutput("stdout", fmt.Sprint(server.port))

	wrong := server.connection(t, properties{"proxy": bastion.connection(t, properties{"hostKey": text(server.hostKeys[0])})})
	err := newPlugin(t, remoteCommand).create(properties{"connection": wrong, "create": text("true")}, 0)
	expectError(t, err, "proxy:", "connection.hostKey")
}

func TestServerBehindAProxyThatComesUpLateIsReached(t *testing.T) {
	bastion, server := startSSHD(t), prepareSSHD(t)
	time.AfterFunc(time.Second, func() { server.start(t) })
	proxied := server.connection(t, properties{"proxy": bastion.connection(t, nil), "dialErrorLimit": property.New(-1.0)})
	must(t, newPlugin(t, remoteCommand).create(properties{"connection": proxied, "create": text("true")}, 30))
}
