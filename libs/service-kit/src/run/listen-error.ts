import { type ServiceName, serviceVariables } from "@latchkey/contracts";
import { StartError } from "./start-error.ts";

/** A listen address of a service. */
export interface ListenPlace {
  service: ServiceName;
  host: string;
  port: number;
  /** Whether it is the public port. The gateway also has an internal port. */
  isPublic: boolean;
}

const portVariable = ({ service, isPublic }: ListenPlace): string =>
  service === "gateway" && !isPublic ? "GATEWAY_INTERNAL_PORT" : serviceVariables(service).port;

/** Converts a listen failure to an error that tells the operator what to do. Returns any other error unchanged. */
export const listenError = (error: unknown, place: ListenPlace): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  const { host, port, service, isPublic } = place;
  const variable = portVariable(place);
  const others = isPublic ? "" : ", or PORT, which moves every port";
  switch (code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} (${service}) is in use. Set ${variable} to another port${others}, or stop the program that uses it.`,
      );
    case "EACCES":
      return new StartError(
        `This account may not listen on port ${port} (${service}). Set ${variable} to a port of 1024 or higher.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(
        `${host} is not an address of this machine. Set ${isPublic ? "HOST" : "INTERNAL_HOST, or HOST,"} to one that it has.`,
      );
    default:
      return error;
  }
};
