import { parse, stringify } from "yaml";
import { Cluster } from "./cluster";
import { until } from "./until";

/** Returns the user of a token, as the API server knows the user. @param kubeconfig of the cluster, with another user */
export async function userOf(token: string, kubeconfig: string): Promise<unknown> {
  const { users, ...rest } = parse(kubeconfig) as { users: { name: string }[] };
  const user = await Cluster.connect(
    stringify({ ...rest, users: users.map(({ name }) => ({ name, user: { token } })) }),
  );
  try {
    let answer = await user.tryKubectl(["auth", "whoami", "-o", "json"]);
    await until(120, "the API server to know the user", async () => {
      answer = await user.tryKubectl(["auth", "whoami", "-o", "json"]);
      return answer.status === 0;
    });
    const { userInfo } = (JSON.parse(answer.stdout) as { status: { userInfo: { groups: string[] } } }).status;
    return { ...userInfo, groups: [...userInfo.groups].sort() };
  } finally {
    user.close();
  }
}
