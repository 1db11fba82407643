import { describeStores } from "./describe-stores.ts";
import { runAll } from "./run-all.ts";
import { runStart } from "./run-start.ts";

// npm start: runs everything in one process, with an embedded database if none is configured.

const describeTrial = (url: string): string => `
Try it:
  curl -i ${url}/sign-up/email -H 'content-type: application/json' \\
    -d '{"name":"Ada","email":"ada@example.com","password":"correct horse"}'
  curl ${url}/ok
`;

await runStart(() => async (installation) => {
  const lines = describeStores(installation, "memory");
  const { url, stop } = await runAll(installation.settings);
  return { origin: url.replace("127.0.0.1", "localhost"), lines, trial: describeTrial, stop };
});
