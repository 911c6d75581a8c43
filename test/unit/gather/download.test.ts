/** By way of what charts are fetched. */
import { download } from "../../../components/gather/download";
import { ForwardProxy } from "../../support/forward-proxy";
import { Receiver } from "../../support/receiver";

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

test("a repository is reached through the proxy of the environment, with its login", async () => {
  const proxy = await ForwardProxy.start("127.0.0.1", "user:pass", { "charts.example": "127.0.0.1" });
  try {
    process.env["HTTPS_PROXY"] = `http://user:pass@127.0.0.1:${proxy.port}`;
    await expect(download(new URL("https://charts.example:8443/index.yaml"), 10)).rejects.toThrow(
      "https://charts.example:8443 cannot be reached: ",
    );
    expect(proxy.asked).toEqual(["charts.example:8443"]);
  } finally {
    proxy.close();
  }
});

test("a certificate of an unknown CA is told with the way out", async () => {
  const receiver = await Receiver.start();
  try {
    const { origin } = new URL(receiver.url);
    await expect(download(new URL(receiver.url), 10)).rejects.toThrow(
      new Error(
        `${origin} cannot be reached: self-signed certificate; NODE_EXTRA_CA_CERTS names the file of the site's CA`,
      ),
    );
  } finally {
    await receiver.stop();
  }
});
