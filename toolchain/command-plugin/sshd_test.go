package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"golang.org/x/crypto/ssh"
)

// sshd is a real server of OpenSSH on a loopback port, with host keys of its own.
type sshd struct {
	dir      string
	port     int
	hostKeys []string // as in known_hosts, ed25519 first
	key      string   // a private key that it lets in
	process  *exec.Cmd
}

// startSSHD starts one; settings are lines of sshd_config.
func startSSHD(t *testing.T, settings ...string) *sshd {
	t.Helper()
	s := prepareSSHD(t, settings...)
	s.start(t)
	return s
}

// prepareSSHD chooses the port and writes the keys, but does not start it.
func prepareSSHD(t *testing.T, settings ...string) *sshd {
	t.Helper()
	if _, err := sshdPath(); err != nil {
		t.Fatal("there is no sshd on PATH: run the tests by toolchain/test.sh, which unpacks one")
	}
	s := &sshd{dir: t.TempDir(), port: freePort(t)}
	_, host25519, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	hostECDSA, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	_, client, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)

	config := fmt.Sprintf("ListenAddress 127.0.0.1\nPort %d\nAuthorizedKeysFile %s/authorized_keys\nPidFile none\n"+
		"StrictModes no\nUsePAM no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n", s.port, s.dir)
	for name, key := range map[string]any{"host_ed25519": host25519, "host_ecdsa": hostECDSA} {
		config += "HostKey " + s.write(t, name, encode(t, key)) + "\n"
	}
	s.hostKeys = []string{public(t, host25519), public(t, hostECDSA)}
	s.key = encode(t, client)
	s.write(t, "authorized_keys", public(t, client))
	for _, line := range settings {
		config += line + "\n"
	}
	s.write(t, "sshd_config", config)
	return s
}

func (s *sshd) start(t *testing.T) {
	t.Helper()
	path, err := sshdPath()
	must(t, err)
	if os.Getuid() == 0 {
		must(t, os.MkdirAll("/run/sshd", 0o755)) // its privilege separation directory
	}
	s.process = exec.Command(path, "-D", "-e", "-f", filepath.Join(s.dir, "sshd_config"))
	must(t, s.process.Start())
	t.Cleanup(func() {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	})
	waitFor(t, "sshd to listen", func() bool {
		connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
}

// connection is the input `connection` that the server accepts, with changes; a null value removes a field.
func (s *sshd) connection(t *testing.T, changes map[string]property.Value) property.Value {
	t.Helper()
	me, err := user.Current()
	must(t, err)
	fields := map[string]property.Value{
		"host":           property.New("127.0.0.1"),
		"port":           property.New(float64(s.port)),
		"user":           property.New(me.Username),
		"privateKey":     property.New(s.key),
		"hostKey":        property.New(s.hostKeys[0]),
		"dialErrorLimit": property.New(0.0),
	}
	for name, value := range changes {
		fields[name] = value
		if value.IsNull() {
			delete(fields, name)
		}
	}
	return property.New(fields)
}

func (s *sshd) write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(s.dir, name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func sshdPath() (string, error) {
	if path, err := exec.LookPath("sshd"); err == nil {
		return filepath.Abs(path)
	}
	return exec.LookPath("/usr/sbin/sshd")
}

func encode(t *testing.T, key any) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(key, "")
	must(t, err)
	return string(pem.EncodeToMemory(block))
}

func public(t *testing.T, key any) string {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(key)
	must(t, err)
	return string(ssh.MarshalAuthorizedKey(signer.PublicKey()))
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for !condition() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited 20 s for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
