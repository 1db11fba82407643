import { signMessage } from "@latchkey/crypto";
import { OutboundError } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { openSecret } from "../endpoints/secrets.ts";
import type { ClaimedDelivery } from "./leases/queries.ts";
import type { Outcome } from "./outcomes/queries.ts";

export type SendNeeds = Pick<Deps, "clock" | "config" | "receivers" | "ring">;

const delaySeconds = { min: 5, max: 21_600 };
/** The longest pause that a receiver can ask for. */
const restSecondsMax = 86_400;
/** The receiver's answer after which its endpoint is disabled. */
export const statusGone = 410;
const statusesOfRest = new Set([429, 503]);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Returns the seconds of a `Retry-After` header: a number, or a date. Zero without one. */
export const readRetryAfter = (value: string | string[] | undefined, now: number): number => {
  const text = [value ?? ""].flat()[0]?.trim() ?? "";
  if (text === "") return 0;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), restSecondsMax);
};

/** Returns the beginning of a response as text that Postgres can store. */
const readResponse = (body: Buffer): string =>
  body.toString("utf8").replaceAll("\0", "\uFFFD").toWellFormed();

/** The details of a failed look-up of a name. */
const lookupFailed = /\((?:ENOTFOUND|ENODATA|EAI_\w+)\)$/;

/**
 * Returns the reason of a failure. Members of organizations choose their URLs, so one text covers names without an address and names with a
 * private one. Otherwise they could find out the names of our network.
 */
export const reasonOf = (
  error: unknown,
  { organizationId, url }: Pick<ClaimedDelivery, "organizationId" | "url">,
): string => {
  if (!(error instanceof OutboundError)) return "the request failed";
  const isHidden = error.reason === "not allowed" || lookupFailed.test(error.message);
  return organizationId !== null && isHidden
    ? `${new URL(url).origin}: no connection (the name has no public address)`
    : error.message;
};

/**
 * Returns the seconds until the next attempt: the time since the first failure, so that the delay doubles, from five seconds to six hours.
 * Up to half is subtracted at random, so that deliveries that failed together do not retry together.
 */
const retrySeconds = (sinceFirstFailure: number, random: () => number): number =>
  Math.min(Math.max(sinceFirstFailure, delaySeconds.min), delaySeconds.max) * (1 - random() / 2);

/** Returns the seconds since the first failure of a delivery. Zero without one. */
export const failedSeconds = (
  { clock, config }: Pick<SendNeeds, "clock" | "config">,
  { retryUntil }: Pick<ClaimedDelivery, "retryUntil">,
): number =>
  retryUntil ? config.webhooks.retryPeriod - (retryUntil.getTime() - clock()) / 1_000 : 0;

interface Answered {
  status: number | null;
  response: string | null;
  error: string | null;
  restSeconds: number;
}

const post = async (
  deps: SendNeeds,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Answered> => {
  const { endpointId, eventId, body, secretSealed, formerSecretSealed } = claimed;
  const secrets = [secretSealed, formerSecretSealed].flatMap((sealed) =>
    sealed === null ? [] : (openSecret(deps.ring, endpointId, sealed) ?? []),
  );
  if (secrets.length === 0)
    return {
      status: null,
      response: null,
      error: "the secret was sealed with a secret that is no longer configured; rotate it",
      restSeconds: 0,
    };
  const timestamp = Math.floor(deps.clock() / 1_000);
  const {
    status,
    headers,
    body: answer,
  } = await deps.receivers.of(claimed.organizationId).send(claimed.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signMessage(secrets, { id: eventId, timestamp, body }),
    },
    body,
    signal,
  });
  const retryAfter = statusesOfRest.has(status) ? headers["retry-after"] : undefined;
  return {
    status,
    response: readResponse(answer),
    error: isSuccess(status) ? null : `the receiver answered ${status}`,
    restSeconds: readRetryAfter(retryAfter, deps.clock()),
  };
};

/**
 * Sends a claimed delivery and returns the outcome. Rejects only with the reason of the signal. A redirect counts as a failure, because
 * following it could lead into our own network.
 */
export const sendDelivery = async (
  deps: SendNeeds,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome> => {
  const startedAt = deps.clock();
  const from = performance.now();
  const answered = await post(deps, claimed, signal).catch((error: unknown): Answered => {
    signal.throwIfAborted();
    return { status: null, response: null, error: reasonOf(error, claimed), restSeconds: 0 };
  });
  const milliseconds = Math.round(performance.now() - from);
  const { retryPeriod } = deps.config.webhooks;
  const { endpointId, subject, claim, id: deliveryId, attempts, retryUntil } = claimed;
  const isLate = retryUntil !== null && retryUntil.getTime() <= deps.clock();
  const failedState = answered.status === statusGone || isLate ? "failed" : "pending";
  return {
    endpointId,
    subject,
    claim,
    deliveryId,
    number: attempts + 1,
    state: answered.error === null ? "delivered" : failedState,
    startedAt: new Date(startedAt).toISOString(),
    milliseconds,
    ...answered,
    delaySeconds: Math.max(
      answered.restSeconds,
      retrySeconds(failedSeconds(deps, claimed), Math.random),
    ),
    retrySeconds: retryPeriod,
  };
};
