import type { FastifyInstance } from "fastify";

/** Whether a server is about to close. It answers all that comes, and each answer says that its connection ends. */
export interface Departure {
  isNear: boolean;
}

const departures = new WeakMap<FastifyInstance["server"], Departure>();

/** The departure of a server, shared by all that is mounted on it. */
export const departureOf = ({ server }: Pick<FastifyInstance, "server">): Departure => {
  const departure = departures.get(server) ?? { isNear: false };
  departures.set(server, departure);
  return departure;
};
