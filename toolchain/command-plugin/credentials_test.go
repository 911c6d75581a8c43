package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"path/filepath"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

func TestEncryptedPrivateKey(t *testing.T) {
	server := prepareSSHD(t)
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	server.write(t, "authorized_keys", public(t, key))
	server.start(t)
	block, err := ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte("open sesame"))
	must(t, err)
	encrypted := text(string(pem.EncodeToMemory(block)))

	connection := server.connection(t, properties{"privateKey": encrypted, "privateKeyPassword": text("open sesame")})
	must(t, newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0))
	connection = server.connection(t, properties{"privateKey": encrypted})
	err = newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
	expectError(t, err, "connection.privateKeyPassword")
}

func TestKeyOfAnAgent(t *testing.T) {
	server := startSSHD(t)
	key, err := ssh.ParseRawPrivateKey([]byte(server.key))
	must(t, err)
	keyring := agent.NewKeyring()
	must(t, keyring.Add(agent.AddedKey{PrivateKey: key}))
	socket := filepath.Join(server.dir, "agent")
	listener, err := net.Listen("unix", socket)
	must(t, err)
	defer listener.Close()
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(keyring, connection) }()
		}
	}()
	inputs := func(changes properties) properties {
		changes["privateKey"] = absent
		return properties{"connection": server.connection(t, changes), "create": text("true")}
	}
	t.Run("agentSocketPath", func(t *testing.T) {
		must(t, newPlugin(t, remoteCommand).create(inputs(properties{"agentSocketPath": text(socket)}), 0))
	})
	t.Run("SSH_AUTH_SOCK", func(t *testing.T) {
		t.Setenv("SSH_AUTH_SOCK", socket)
		must(t, newPlugin(t, remoteCommand).create(inputs(properties{}), 0))
	})
	t.Run("nobody answers", func(t *testing.T) {
		err := newPlugin(t, remoteCommand).create(inputs(properties{"agentSocketPath": text(socket + "-gone")}), 0)
		expectError(t, err, "connection.agentSocketPath", "no SSH agent answers")
	})
}

func TestCredentialsThatAreRefused(t *testing.T) {
	server := startSSHD(t)
	other := prepareSSHD(t)
	for name, change := range map[string]properties{
		"password":    {"privateKey": absent, "password": text("wrong")},
		"private key": {"privateKey": text(other.key)},
		"none":        {"privateKey": absent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SSH_AUTH_SOCK", "")
			err := newPlugin(t, remoteCommand).create(properties{"connection": server.connection(t, change), "create": text("true")}, 0)
			expectError(t, err, "unable to authenticate", "after 1 failed attempts")
		})
	}
	t.Run("not a key", func(t *testing.T) {
		connection := server.connection(t, properties{"privateKey": text("ssh-ed25519 AAAA")})
		err := newPlugin(t, remoteCommand).create(properties{"connection": connection, "create": text("true")}, 0)
		expectError(t, err, "connection.privateKey")
	})
}

// absent takes a field out of the connection.
var absent = property.New(property.Null)
