import { once } from "node:events";
import { createServer } from "node:net";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { basePathOf, type Readiness } from "@latchkey/service-kit";
import { messageOf } from "../commands/message-of.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";

const answerMilliseconds = 4_000;

/** A place where a service listens, or will. */
interface Door {
  check: string;
  /** Asked with GET. */
  url: string;
  host: string;
  port: number;
  /** The variables that say where it is. */
  variables: string;
  isPublic: boolean;
}

const doorsOf = ({ options, network }: Examined["settings"]): Door[] => {
  const { host, internalHost, urls, ports, gatewayInternalPort } = network;
  const health = "/health/ready";
  /** The first address may be of this machine; where there are more, they are numbered. */
  const doorsAt = (name: ServiceName): Door[] => {
    const isPublic = name === "gateway";
    const variables = serviceVariables(name);
    return urls[name].map((url, index) => ({
      check: urls[name].length === 1 ? name : `${name} ${index + 1}`,
      url: url + (isPublic ? `${basePathOf(options)}/ok` : health),
      host: isPublic ? host : internalHost,
      port: index === 0 ? ports[name] : 0,
      variables: isPublic ? variables.port : `${variables.port} and ${variables.url}`,
      isPublic,
    }));
  };
  return [
    ...doorsAt("gateway"),
    {
      check: "gateway health",
      url: `http://127.0.0.1:${gatewayInternalPort}${health}`,
      host: network.internalHost,
      port: gatewayInternalPort,
      variables: "GATEWAY_INTERNAL_PORT",
      isPublic: false,
    },
    ...serviceNames.filter((name) => name !== "gateway").flatMap(doorsAt),
  ];
};

/** Whether this machine is where it is looked for, on the port where it would listen. */
const isHere = ({ url, port }: Door): boolean => {
  const { hostname, port: asked } = new URL(url);
  return Number(asked) === port && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
};

/** Undefined when the port can be listened on, else why not. */
const whyTaken = async ({ host, port }: Door): Promise<unknown> => {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, "listening");
    probe.close();
    return undefined;
  } catch (error) {
    return error;
  }
};

const explainSilence = async (door: Door, error: unknown): Promise<Finding> => {
  const { origin } = new URL(door.url);
  const { check, port, variables } = door;
  const said = messageOf(error);
  if (!said.includes("ECONNREFUSED"))
    return fail(check, `${origin}: ${said}`, `see what is there, or mend ${variables}`);
  if (!isHere(door))
    return warn(check, `${origin}: ${said}`, `start it there, or mend ${variables}`);
  const taken = await whyTaken(door);
  return taken === undefined
    ? ok(check, `does not run; port ${port} is free`)
    : fail(check, `port ${port}: ${messageOf(taken)}`, `stop what has it, or change ${variables}`);
};

const explainHealth = async ({ check, variables }: Door, response: Response): Promise<Finding> => {
  const { origin } = new URL(response.url);
  const { checks, stopping } = (await response.json().catch(() => ({}))) as Partial<Readiness>;
  if (!checks)
    return fail(check, `${origin} is another program`, `stop that, or change ${variables}`);
  if (response.ok) return ok(check, `${origin} is ready`);
  if (stopping) return warn(check, `${origin} is stopping`, "ask again once it is back");
  const missing = Object.keys(checks).filter((name) => !checks[name]);
  return fail(
    check,
    `${origin} runs, but lacks ${missing.join(", ")}`,
    "mend those as said here, or restart it with the configuration of now",
  );
};

const checkDoor = async (door: Door): Promise<Finding> => {
  if (new URL(door.url).port === "0") return ok(door.check, "takes any free port");
  let response: Response;
  try {
    response = await fetch(door.url, {
      signal: AbortSignal.timeout(answerMilliseconds),
      redirect: "manual",
    });
  } catch (error) {
    return explainSilence(door, error);
  }
  if (!door.isPublic) return explainHealth(door, response);
  await response.body?.cancel();
  const { origin } = new URL(door.url);
  // Every answer of the gateway has it, whatever the configuration makes of the request.
  return response.headers.has("x-request-id")
    ? ok(door.check, `${origin} answers`)
    : fail(door.check, `${origin} is another program`, `stop that, or change ${door.variables}`);
};

/** Whether each service answers where it should, or could be started there. */
export const checkServices = ({ settings }: Examined): Promise<Finding[]> => {
  const doors = doorsOf(settings);
  return Promise.all(
    doors.map(async (door, index) => {
      const { port, check, variables } = door;
      const same = doors.slice(0, index).find((other) => port !== 0 && other.port === port);
      return same
        ? fail(check, `has port ${port}, and so has ${same.check}`, `change ${variables}`)
        : checkDoor(door);
    }),
  );
};
