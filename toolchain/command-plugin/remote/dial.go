package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	provider "github.com/pulumi/pulumi-go-provider"
	"golang.org/x/crypto/ssh"
)

const (
	firstWait = 100 * time.Millisecond
	longWait  = 5 * time.Second
)

// dialer opens a byte stream to an address: the network, or a bastion.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Dial connects, by the proxy where there is one. The end of ctx closes the connection, whatever runs over it.
func (c *Connection) Dial(ctx context.Context) (*ssh.Client, error) {
	if c.Proxy == nil {
		return c.dial(ctx, "dial", (&net.Dialer{}).DialContext)
	}
	bastion, err := c.Proxy.dial(ctx, "dial proxy", (&net.Dialer{}).DialContext)
	if err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	client, err := c.dial(ctx, "dial from proxy", bastion.DialContext)
	if err != nil {
		_ = bastion.Close()
		return nil, fmt.Errorf("from proxy %s: %w", c.Proxy.Host, err)
	}
	go func() {
		_ = client.Wait()
		_ = bastion.Close()
	}()
	return client, nil
}

// dial tries until the server lets us in, the limit of errors is passed, or ctx ends.
func (e *Endpoint) dial(ctx context.Context, what string, dial dialer) (*ssh.Client, error) {
	config, release, err := e.config()
	if err != nil {
		return nil, err
	}
	defer release()
	limit := valueOr(e.DialErrorLimit, defaultDialErrorLimit)
	log := provider.GetLogger(ctx)
	wait := firstWait
	for failures := 1; ; failures++ {
		client, err := e.connect(ctx, config, dial)
		if err == nil {
			context.AfterFunc(ctx, func() { _ = client.Close() })
			return client, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s %s: %w after %d failed attempts: %w", what, e.address(), context.Cause(ctx), failures, err)
		}
		if limit >= 0 && failures > limit {
			return nil, fmt.Errorf("%s %s: after %d failed attempts (dialErrorLimit %d): %w", what, e.address(), failures, limit, err)
		}
		log.InfoStatusf("%s %s: attempt %d failed, trying again: %v", what, e.address(), failures, err)
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		wait = min(wait*3/2, longWait)
	}
}

// connect makes one attempt, bounded as a whole: a server that accepts and then says nothing counts as a failure.
func (e *Endpoint) connect(ctx context.Context, config *ssh.ClientConfig, dial dialer) (*ssh.Client, error) {
	if timeout := e.dialTimeout(); timeout > 0 {
		bounded, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = bounded
	}
	stream, err := dial(ctx, "tcp", e.address())
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = stream.Close() })
	connection, channels, requests, err := ssh.NewClientConn(stream, e.address(), config)
	if !stop() {
		return nil, errors.Join(context.Cause(ctx), err)
	}
	if err != nil {
		_ = stream.Close()
		return nil, explain(err, config.User)
	}
	client := ssh.NewClient(connection, channels, requests)
	go ServerAlive.watch(client)
	return client, nil
}

// explain puts words to what the SSH library only gives as a number: message 51 is the refusal of a password by a
// server that does not ask back.
func explain(err error, user string) error {
	if strings.Contains(err.Error(), "unexpected message type 51") {
		return fmt.Errorf("ssh: unable to authenticate: the server refuses the password of user %s (%w)", user, err)
	}
	return err
}
