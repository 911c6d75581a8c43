import { createSocket } from "node:dgram";

/**
 * This machine's source address for packets to a host, which the kernel chooses by its routes. Nothing is sent.
 * @param host name or address
 * @returns undefined if there is no route
 */
export function ownAddress(host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    const end = (address: string | undefined): void => {
      socket.close();
      done(address);
    };
    socket.once("error", () => end(undefined));
    // a callback of connect() would get the error of an unknown name
    socket.once("connect", () => end(socket.address().address));
    // any port: no datagram is sent
    socket.connect(9, host);
  });
}
