import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ServiceName, serviceVariables } from "@latchkey/contracts";

/** Where a replica listens. */
export interface ServicePorts {
  port: number;
  /** Of health and metrics; for the gateway another than the public one. */
  internal: number;
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServiceProcessOptions {
  service: ServiceName;
  ports: ServicePorts;
  /** All that it is told of the environment, but for its ports. */
  environment: NodeJS.ProcessEnv;
  /** How long it still answers once it is told to end. */
  drainSeconds: number;
  /** The folder that it runs in. */
  folder: string;
  /** Of both outputs, as it comes. */
  onOutput: (text: string) => void;
  /** Whether a signal of the terminal passes it by. */
  isDetached?: boolean;
  /** The house whose code it runs: this one, unless another is named. */
  house?: string;
}

/** A replica of a service in a process of its own. */
export interface ServiceProcess {
  service: ServiceName;
  pid: number | undefined;
  ports: ServicePorts;
  url: string;
  ended: Promise<Ending>;
  isRunning(): boolean;
  /** True once a path of its internal port is answered with 200, false where it ends before. Rejects after a minute. */
  answers(path: "/health/live" | "/health/ready"): Promise<boolean>;
  kill(): void;
  /** Sends it the signal, where it runs, and SIGKILL where that does not end it. */
  end(signal: NodeJS.Signals): Promise<Ending>;
}

const startMilliseconds = 60_000;
const lookMilliseconds = 50;
/** A process that has drained may take ten seconds to close. */
const closeSeconds = 15;

const isAnswered = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(startMilliseconds) })).ok;
  } catch {
    return false;
  }
};

const thisHouse = join(import.meta.dirname, "..", "..");
const guard = join(import.meta.dirname, "end-with-parent.ts");

/** Runs what `npm run start:<service>` runs, until SIGTERM or our own end. */
export const startServiceProcess = (options: ServiceProcessOptions): ServiceProcess => {
  const { service, ports, folder, onOutput, drainSeconds, house = thisHouse } = options;
  const main = join(house, "services", service, "src", "main.ts");
  const child = spawn(process.execPath, [guard, main], {
    cwd: folder,
    detached: options.isDetached ?? false,
    stdio: "pipe",
    env: {
      ...options.environment,
      [serviceVariables(service).port]: String(ports.port),
      GATEWAY_INTERNAL_PORT: String(ports.internal),
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", onOutput);
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    service,
    pid: child.pid,
    ports,
    url: `http://127.0.0.1:${ports.port}`,
    ended,
    isRunning,
    kill: () => child.kill("SIGKILL"),
    answers: async (path) => {
      const deadline = performance.now() + startMilliseconds;
      while (isRunning()) {
        if (await isAnswered(`http://127.0.0.1:${ports.internal}${path}`)) return true;
        if (performance.now() > deadline) throw new Error(`${service} does not answer`);
        await delay(lookMilliseconds);
      }
      return false;
    },
    end: async (signal) => {
      if (isRunning()) child.kill(signal);
      const patienceSeconds = drainSeconds + closeSeconds;
      const impatience = setTimeout(() => child.kill("SIGKILL"), patienceSeconds * 1_000);
      return ended.finally(() => clearTimeout(impatience));
    },
  };
};
