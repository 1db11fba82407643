import { existsSync } from "node:fs";
import { request } from "node:http";
import { homedir } from "node:os";

const deadlineMs = 2_000;

/** Returns whether a Docker engine answers on `DOCKER_HOST` or a usual socket, within two seconds. */
export async function dockerAnswers(): Promise<boolean> {
  for (const target of targets()) if (await pings(target)) return true;
  return false;
}

type Target = { socketPath: string } | { host: string; port: string };

function targets(): Target[] {
  const host = process.env["DOCKER_HOST"];
  if (host) {
    const url = URL.parse(host);
    if (url?.protocol === "unix:") return [{ socketPath: url.pathname }];
    return url?.hostname ? [{ host: url.hostname, port: url.port || "2375" }] : [];
  }
  const sockets = [
    "/var/run/docker.sock",
    `${homedir()}/.docker/run/docker.sock`,
    `${process.env["XDG_RUNTIME_DIR"]}/docker.sock`,
  ];
  return sockets
    .filter((socketPath) => existsSync(socketPath))
    .map((socketPath) => ({ socketPath }));
}

function pings(target: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request(
      { ...target, path: "/_ping", signal: AbortSignal.timeout(deadlineMs), agent: false },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode === 200);
      },
    );
    ping.once("error", () => resolve(false));
    ping.end();
  });
}
