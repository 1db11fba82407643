import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";

/** Where each service listens, where nothing else is said. */
export const defaultPorts: Readonly<Record<ServiceName, number>> = {
  gateway: 3000,
  identity: 3001,
  organization: 3002,
  apikey: 3003,
  mailer: 3004,
};

/** The same for the gateway's health and metrics, which its public port does not show. */
export const defaultGatewayInternalPort = 3005;

/** How long a process in production still answers once it is told to stop. */
export const defaultDrainSeconds = 4;

/** A variable that is no option: it is about the process, and where it listens and finds the others. */
export interface ProcessVariable {
  name: string;
  /** As the reference shows it. */
  fallback: string;
  /** As Markdown. */
  meaning: string;
}

const portOf = (service: ServiceName): ProcessVariable => ({
  name: serviceVariables(service).port,
  fallback: `\`${defaultPorts[service]}\``,
  meaning:
    service === "gateway"
      ? "Port of the gateway, the only public one."
      : `Port of ${service}, for other services.`,
});

const urlOf = (service: ServiceName): ProcessVariable => ({
  name: serviceVariables(service).url,
  fallback: `\`http://127.0.0.1:${defaultPorts[service]}\``,
  meaning:
    service === "gateway"
      ? "Where `doctor` asks the gateway; its port is that of `PORT`."
      : `Where the others find ${service}; its port is that of \`${serviceVariables(service).port}\`. Several replicas: with commas between.`,
});

/** Every variable that says no option. */
export const processVariables: readonly ProcessVariable[] = [
  {
    name: "NODE_ENV",
    fallback: "",
    meaning:
      "`production` asks for a secret of your own, an SMTP server, a base URL or trusted hosts, and a database; limits are on.",
  },
  {
    name: "LATCHKEY_CONFIG",
    fallback: "`latchkey.config.ts` or `.json`",
    meaning: "Path of the file with the options.",
  },
  {
    name: "HOST",
    fallback: "`127.0.0.1`, in production `0.0.0.0`",
    meaning: "Address on which the gateway's public port listens.",
  },
  {
    name: "INTERNAL_HOST",
    fallback: "that of `HOST`",
    meaning: "Address on which everything else listens; `npm start` keeps to `127.0.0.1`.",
  },
  ...serviceNames.map(portOf),
  {
    name: "GATEWAY_INTERNAL_PORT",
    fallback: `\`${defaultGatewayInternalPort}\``,
    meaning: "Port of the gateway's health and metrics.",
  },
  ...serviceNames.map(urlOf),
  {
    name: "DRAIN_SECONDS",
    fallback: `\`0\`, in production \`${defaultDrainSeconds}\``,
    meaning:
      "How long a process that is told to stop still answers, so that those who call it learn to go elsewhere.",
  },
];
