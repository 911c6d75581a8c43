/** One request and its answer, from servers that do what they should not. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { answerOf } from "../../components/base/net/http-answer";
import { tunnel } from "../../components/base/net/proxy";

let server: Server;
afterEach((done) => void server.close(done));

/** A server that does something with each connection, once a request has arrived. @returns its URL */
function serverThat(act: (socket: Socket) => void): Promise<URL> {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => act(socket));
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () =>
      done(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/version`)),
    ),
  );
}

const LIMITS = { silenceMs: 400, answerMs: 800, bytes: 1000 };

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tls\r\n\r\n";

/** Answers, and leaves the connection open. */
const says = (text: string) => (socket: Socket) => void socket.write(text);
/** Answers, and closes the connection. */
const ends = (text: string) => (socket: Socket) => void socket.end(text);

it.each([
  ["ends with its length", says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")],
  ["ends with its connection", ends("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}")],
  [
    "begins with informational ones",
    says(`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`),
  ],
])("the request reads an answer that %s", async (_, act) => {
  expect(await answerOf(await serverThat(act), { agent: false }, undefined, LIMITS)).toEqual({
    status: 200,
    text: "{}",
  });
});

it.each([
  ["switches protocols and closes", ends(UPGRADE), /^it responded with 101 Switching Protocols/],
  ["switches protocols and stays", says(UPGRADE), /^it responded with 101 Switching Protocols/],
  ["closes at once", ends(""), /socket hang up|closed without a response/],
  ["resets the connection", (socket: Socket) => void socket.resetAndDestroy(), /ECONNRESET|socket hang up/],
  ["cuts the answer off", ends("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), /aborted|cut off/],
  [
    "cuts a chunk off",
    ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}"),
    /aborted|cut off/,
  ],
  ["says nothing", () => undefined, /^no response within 0.4 s$/],
  ["stops in the head", says("HTTP/1.1 200 OK\r\nA:"), /^no response within 0.4 s$/],
  ["stops in the body", says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), /^no response within 0.4 s$/],
  [
    "sends informational answers for ever",
    (socket: Socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    },
    /^no complete response within 0.8 s$/,
  ],
  ["sends too much", says(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(2000)}`), /^the response is larger than/],
  ["speaks no HTTP", ends("SSH-2.0-OpenSSH_9.2\r\n"), /Parse Error/],
])("the request fails where the server %s", async (_, act, message) => {
  const url = await serverThat(act);
  await expect(answerOf(url, { agent: false }, undefined, LIMITS)).rejects.toThrow(message);
});

it.each([
  ["closes at once", ends("")],
  ["switches protocols", ends(UPGRADE)],
  ["refuses", ends("HTTP/1.1 403 Forbidden\r\n\r\n")],
])("the request fails where a proxy %s", async (_, act) => {
  const proxy = await serverThat(act);
  await expect(tunnel(new URL("https://198.18.0.1:6443"), proxy, {})).rejects.toThrow();
});
