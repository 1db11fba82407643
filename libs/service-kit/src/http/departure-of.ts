import type { FastifyInstance } from "fastify";

/** Whether a server is about to close. It still answers every request, with `connection: close`. */
export interface Departure {
  isNear: boolean;
}

const departures = new WeakMap<FastifyInstance["server"], Departure>();

/** Returns the departure of a server, shared by everything mounted on it. */
export const departureOf = ({ server }: Pick<FastifyInstance, "server">): Departure => {
  const departure = departures.get(server) ?? { isNear: false };
  departures.set(server, departure);
  return departure;
};
