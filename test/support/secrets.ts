import { connect } from "node:tls";
import { runOverSsh, type Connection } from "../../automation/ssh";

/** How a login with a connection's key ends; 255 is that of ssh itself. */
export async function loginStatus(connection: Connection): Promise<number | undefined> {
  const { status } = await runOverSsh(connection, { command: "true", input: "", seconds: 60 });
  return status;
}

/** Serial number of the certificate that an API shows. */
export function servedSerial(apiUrl: string): Promise<string> {
  const { hostname, port } = new URL(apiUrl);
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      done(serialNumber);
    });
    socket.on("error", fail);
  });
}
