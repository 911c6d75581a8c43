// Package remote runs commands and copies files over SSH.
package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/pulumi/pulumi-go-provider/infer"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

const (
	defaultUser           = "root"
	defaultPort           = 22
	defaultDialErrorLimit = 10
	defaultPerDialTimeout = 15
)

// Endpoint says how to reach one SSH server.
type Endpoint struct {
	AgentSocketPath    *string `pulumi:"agentSocketPath,optional"`
	DialErrorLimit     *int    `pulumi:"dialErrorLimit,optional"`
	Host               string  `pulumi:"host"`
	HostKey            *string `pulumi:"hostKey,optional"`
	Password           *string `pulumi:"password,optional"`
	PerDialTimeout     *int    `pulumi:"perDialTimeout,optional"`
	Port               *int    `pulumi:"port,optional"`
	PrivateKey         *string `pulumi:"privateKey,optional"`
	PrivateKeyPassword *string `pulumi:"privateKeyPassword,optional"`
	User               *string `pulumi:"user,optional"`
}

// Connection is the input `connection`.
type Connection struct {
	Endpoint
	Proxy *ProxyConnection `pulumi:"proxy,optional"`
}

// ProxyConnection is the bastion on the way to a Connection.
type ProxyConnection struct {
	Endpoint
}

// Annotate sets the defaults.
func (c *Connection) Annotate(a infer.Annotator) { c.annotate(a) }

// Annotate sets the defaults.
func (c *ProxyConnection) Annotate(a infer.Annotator) { c.annotate(a) }

func (e *Endpoint) annotate(a infer.Annotator) {
	a.SetDefault(&e.User, defaultUser)
	a.SetDefault(&e.Port, defaultPort)
	a.SetDefault(&e.DialErrorLimit, defaultDialErrorLimit)
	a.SetDefault(&e.PerDialTimeout, defaultPerDialTimeout)
}

func (e *Endpoint) address() string {
	return net.JoinHostPort(e.Host, strconv.Itoa(valueOr(e.Port, defaultPort)))
}

// dialTimeout bounds one attempt; 0 is no bound.
func (e *Endpoint) dialTimeout() time.Duration {
	return time.Duration(valueOr(e.PerDialTimeout, defaultPerDialTimeout)) * time.Second
}

// config is the SSH side of the endpoint. Call the function when the connection stands or has failed for good.
func (e *Endpoint) config() (*ssh.ClientConfig, func(), error) {
	config := &ssh.ClientConfig{User: valueOr(e.User, defaultUser), HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	if e.HostKey != nil {
		if err := requireHostKey(config, *e.HostKey); err != nil {
			return nil, nil, err
		}
	}
	if e.PrivateKey != nil {
		signer, err := e.signer()
		if err != nil {
			return nil, nil, err
		}
		config.Auth = append(config.Auth, ssh.PublicKeys(signer))
	}
	if e.Password != nil {
		config.Auth = append(config.Auth, ssh.Password(*e.Password), ssh.KeyboardInteractive(e.answerAll))
	}
	release := func() {}
	if socket := valueOr(e.AgentSocketPath, os.Getenv("SSH_AUTH_SOCK")); socket != "" {
		connection, err := net.Dial("unix", socket)
		if err != nil {
			return nil, nil, fmt.Errorf("connection.agentSocketPath (or SSH_AUTH_SOCK) %s: no SSH agent answers: %w", socket, err)
		}
		release = func() { _ = connection.Close() }
		config.Auth = append(config.Auth, ssh.PublicKeysCallback(agent.NewClient(connection).Signers))
	}
	return config, release, nil
}

func (e *Endpoint) signer() (ssh.Signer, error) {
	parse := func() (ssh.Signer, error) { return ssh.ParsePrivateKey([]byte(*e.PrivateKey)) }
	if e.PrivateKeyPassword != nil {
		parse = func() (ssh.Signer, error) {
			return ssh.ParsePrivateKeyWithPassphrase([]byte(*e.PrivateKey), []byte(*e.PrivateKeyPassword))
		}
	}
	signer, err := parse()
	var missing *ssh.PassphraseMissingError
	if errors.As(err, &missing) {
		return nil, errors.New("connection.privateKey is encrypted; set connection.privateKeyPassword")
	}
	if err != nil {
		return nil, fmt.Errorf("connection.privateKey: %w", err)
	}
	return signer, nil
}

func (e *Endpoint) answerAll(_, _ string, questions []string, _ []bool) ([]string, error) {
	answers := make([]string, len(questions))
	for i := range answers {
		answers[i] = *e.Password
	}
	return answers, nil
}

// requireHostKey accepts only the key given, as it stands in a known_hosts file without the host, and asks the server
// for a key of that type: it may have several.
func requireHostKey(config *ssh.ClientConfig, text string) error {
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(text))
	if err != nil {
		return fmt.Errorf("connection.hostKey %q: not of the form `ssh-ed25519 AAAA...`: %w", text, err)
	}
	config.HostKeyCallback = func(host string, _ net.Addr, got ssh.PublicKey) error {
		if string(got.Marshal()) != string(key.Marshal()) {
			return fmt.Errorf("host key of %s is %s, connection.hostKey is %s: another machine answers, or its key has changed",
				host, ssh.FingerprintSHA256(got), ssh.FingerprintSHA256(key))
		}
		return nil
	}
	config.HostKeyAlgorithms = []string{key.Type()}
	if key.Type() == ssh.KeyAlgoRSA {
		config.HostKeyAlgorithms = []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSA}
	}
	return nil
}

func valueOr[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}
