import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import type { Environment } from "./environment.ts";
import {
  defaultDrainSeconds,
  defaultGatewayInternalPort,
  defaultPorts,
  followingPort,
  publicPortMax,
} from "./process-variables.ts";

const drainSecondsMax = 300;
const timeLimitFactorMax = 100;

/** Listen addresses of a process, and the addresses of other services. */
export interface Network {
  /** Listen address of the public port. */
  host: string;
  /** Listen address of all other ports. */
  internalHost: string;
  ports: Record<ServiceName, number>;
  /** Port of the gateway's health and metrics, which its public port does not serve. */
  gatewayInternalPort: number;
  /** Addresses of each service's replicas, at least one each. */
  urls: Record<ServiceName, readonly string[]>;
  /** Seconds for which a process still answers after a stop signal, so that its callers notice. */
  drainSeconds: number;
  /** Multiplies the time limits of calls to the stores and to other services. */
  timeLimitFactor: number;
}

/** Reads ports and URLs, and adds invalid ones to `problems`. */
const createNetworkReader = (environment: Environment, problems: string[]) => ({
  port: (variable: string, fallback: number): number => {
    const text = environment[variable];
    if (!text) return fallback;
    const port = Number(text);
    if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
    problems.push(`${variable}: must be a port number`);
    return fallback;
  },
  urls: (service: ServiceName, port: number): string[] => {
    const variable = serviceVariables(service).url;
    const texts = (environment[variable] || `http://127.0.0.1:${port}`)
      .split(",")
      .map((text) => text.trim());
    if (!texts.every((text) => URL.canParse(text) && /^https?:/.test(text)))
      problems.push(`${variable}: must be an http or https URL, or several separated by commas`);
    return [...new Set(texts.map((text) => text.replace(/\/$/, "")))];
  },
  seconds: (variable: string, fallback: number): number => {
    const text = environment[variable];
    if (!text) return fallback;
    const seconds = Number(text);
    if (seconds >= 0 && seconds <= drainSecondsMax) return seconds;
    problems.push(`${variable}: must be a number of seconds, ${drainSecondsMax} at most`);
    return fallback;
  },
  factor: (variable: string): number => {
    const factor = Number(environment[variable] || "1");
    if (factor >= 1 && factor <= timeLimitFactorMax) return factor;
    problems.push(`${variable}: must be a number from 1 to ${timeLimitFactorMax}`);
    return 1;
  },
});

/** Builds a record with one value per service. */
const ofEach = <T>(read: (service: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((service) => [service, read(service)])) as Record<
    ServiceName,
    T
  >; // all services are present

/** Reads the addresses and time limits of a process. Adds invalid variables to `problems`. */
export const readNetwork = (
  environment: Environment,
  production: boolean,
  problems: string[],
): Network => {
  const read = createNetworkReader(environment, problems);
  const host = environment["HOST"] || (production ? "0.0.0.0" : "127.0.0.1");
  const publicPort = read.port(serviceVariables("gateway").port, defaultPorts.gateway);
  const followsPort = (variable: string, usual: number): number => {
    if (environment[variable] || publicPort <= publicPortMax)
      return read.port(variable, followingPort(usual, publicPort));
    problems.push(`${variable}: is required if PORT is above ${publicPortMax}`);
    return usual;
  };
  const ports = ofEach((service) =>
    service === "gateway"
      ? publicPort
      : followsPort(serviceVariables(service).port, defaultPorts[service]),
  );
  return {
    host,
    internalHost: environment["INTERNAL_HOST"] || host,
    ports,
    gatewayInternalPort: followsPort("GATEWAY_INTERNAL_PORT", defaultGatewayInternalPort),
    urls: ofEach((service) => read.urls(service, ports[service])),
    drainSeconds: read.seconds("DRAIN_SECONDS", production ? defaultDrainSeconds : 0),
    timeLimitFactor: read.factor("TIME_LIMIT_FACTOR"),
  };
};
