import { once } from "node:events";
import { createServer } from "node:net";
import { presentServices, type ServiceName, serviceVariables } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit/config";
import type { Readiness } from "@latchkey/service-kit/run";
import { messageOf } from "../terminal/message-of.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";

const answerMilliseconds = 4_000;

/** An address of a running or future service. */
interface Endpoint {
  check: string;
  /** Requested with GET. */
  url: string;
  host: string;
  port: number;
  /** The variables that set the address. */
  variables: string;
  isPublic: boolean;
}

/** Returns the host of the gateway's health. Its own address names it in a container, and a public https address does not. */
const healthHostOf = ([url]: readonly string[]): string => {
  const { protocol, hostname } = new URL(url ?? "http://127.0.0.1");
  return protocol === "http:" ? hostname : "127.0.0.1";
};

const endpointsOf = ({ options, network }: Examined["settings"]): Endpoint[] => {
  const { host, internalHost, urls, ports, gatewayInternalPort } = network;
  const health = "/health/ready";
  /** The first address may be on this machine. Several addresses are numbered. */
  const endpointsAt = (name: ServiceName): Endpoint[] => {
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
    ...endpointsAt("gateway"),
    {
      check: "gateway health",
      url: `http://${healthHostOf(urls.gateway)}:${gatewayInternalPort}${health}`,
      host: network.internalHost,
      port: gatewayInternalPort,
      variables: "GATEWAY_INTERNAL_PORT",
      isPublic: false,
    },
    ...presentServices(options)
      .filter((name) => name !== "gateway")
      .flatMap(endpointsAt),
  ];
};

/** Returns whether the address is this machine and the port where the service would listen. */
const isHere = ({ url, port }: Endpoint): boolean => {
  const { hostname, port: urlPort } = new URL(url);
  return Number(urlPort) === port && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
};

/** Returns undefined if the port is free, else the error. */
const whyTaken = async ({ host, port }: Endpoint): Promise<unknown> => {
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

const explainSilence = async (endpoint: Endpoint, error: unknown): Promise<Finding> => {
  const { origin } = new URL(endpoint.url);
  const { check, port, variables } = endpoint;
  const said = messageOf(error);
  if (!said.includes("ECONNREFUSED"))
    return fail(check, `${origin}: ${said}`, `check the program there, or fix ${variables}`);
  if (!isHere(endpoint))
    return warn(check, `${origin}: ${said}`, `start it there, or fix ${variables}`);
  const portError = await whyTaken(endpoint);
  return portError === undefined
    ? warn(check, `does not run; port ${port} is free`, "start it, if it should run")
    : fail(
        check,
        `port ${port}: ${messageOf(portError)}`,
        `stop the program that uses it, or change ${variables}`,
      );
};

const explainHealth = async (
  { check, variables }: Endpoint,
  response: Response,
): Promise<Finding> => {
  const { origin } = new URL(response.url);
  const { checks, stopping } = (await response.json().catch(() => ({}))) as Partial<Readiness>;
  if (!checks)
    return fail(check, `${origin} is another program`, `stop that, or change ${variables}`);
  if (response.ok) return ok(check, `${origin} is ready`);
  if (stopping) return warn(check, `${origin} is stopping`, "check again once it is back");
  const missing = Object.keys(checks).filter((name) => !checks[name]);
  return fail(
    check,
    `${origin} runs, but lacks ${missing.join(", ")}`,
    "fix those as reported here, or restart it with the current configuration",
  );
};

const checkEndpoint = async (endpoint: Endpoint): Promise<Finding> => {
  if (new URL(endpoint.url).port === "0") return ok(endpoint.check, "takes any free port");
  let response: Response;
  try {
    response = await fetch(endpoint.url, {
      signal: AbortSignal.timeout(answerMilliseconds),
      redirect: "manual",
    });
  } catch (error) {
    return explainSilence(endpoint, error);
  }
  if (!endpoint.isPublic) return explainHealth(endpoint, response);
  await response.body?.cancel();
  const { origin } = new URL(endpoint.url);
  // Every reply of the gateway has this header, however the configuration treats the request.
  return response.headers.has("x-request-id")
    ? ok(endpoint.check, `${origin} answers`)
    : fail(
        endpoint.check,
        `${origin} is another program`,
        `stop that, or change ${endpoint.variables}`,
      );
};

/** Checks that each service answers at its address, or could be started there. */
export const checkServices = ({ settings }: Examined): Promise<Finding[]> => {
  const endpoints = endpointsOf(settings);
  return Promise.all(
    endpoints.map(async (endpoint, index) => {
      const { port, check, variables } = endpoint;
      const same = endpoints.slice(0, index).find((other) => port !== 0 && other.port === port);
      return same
        ? fail(check, `uses port ${port}, like ${same.check}`, `change ${variables}`)
        : checkEndpoint(endpoint);
    }),
  );
};
