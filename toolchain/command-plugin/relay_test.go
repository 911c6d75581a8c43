package main

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// relay passes connections on to a port of this machine, and can drop them, or keep what comes.
type relay struct {
	port  int
	mute  atomic.Bool
	mutex sync.Mutex
	conns map[net.Conn]bool
}

func startRelay(t *testing.T, target int) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	r := &relay{port: listener.Addr().(*net.TCPAddr).Port, conns: map[net.Conn]bool{}}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go r.serve(client, target)
		}
	}()
	return r
}

func (r *relay) serve(client net.Conn, target int) {
	server, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", target))
	if err != nil {
		_ = client.Close()
		return
	}
	r.set(client, true)
	defer r.set(client, false)
	go func() {
		_, _ = io.Copy(r.to(client), server)
		_ = client.Close()
	}()
	_, _ = io.Copy(r.to(server), client)
	_ = server.Close()
}

// to passes on to a side of a connection what is not kept.
func (r *relay) to(side io.Writer) io.Writer {
	return writerFunc(func(data []byte) (int, error) {
		if r.mute.Load() {
			return len(data), nil
		}
		return side.Write(data)
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(data []byte) (int, error) { return f(data) }

func (r *relay) set(client net.Conn, open bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if open {
		r.conns[client] = true
	} else {
		delete(r.conns, client)
	}
}

// open counts the connections that the client has not closed.
func (r *relay) open() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.conns)
}

func (r *relay) drop() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for client := range r.conns {
		_ = client.Close()
	}
}
