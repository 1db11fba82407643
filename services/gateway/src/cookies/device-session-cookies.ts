import {
  type Caller,
  deviceSlotsMax,
  type DeviceSessionChange,
  type SessionEffect,
} from "@latchkey/contracts";
import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { parseCookieValues } from "./cookie-values.ts";
import { type CookieConfig, type CookieName, describeCookie } from "./describe-cookie.ts";
import { marker } from "./parked-session.ts";
import type { SessionCookies } from "./read-session-cookies.ts";
import type { CookieWriter } from "./write-cookie.ts";

type DeviceSession = NonNullable<Caller["deviceSessions"]>[number];

/** A browser holds two or three values of one name. More of them, which a client may invent, would cost a look-up each. */
const valuesMax = 2 * deviceSlotsMax;

/** A session that ends with the browser lasts no longer than this on the server. */
const browserSessionSeconds = 86_400;

const slots = Array.from({ length: deviceSlotsMax }, (_, slot) => slot);
const cookieOf = (slot: number): CookieName => `account_${slot}`;

/** The names of the cookies, for what they carry. */
export const deviceSessionCookies: readonly CookieName[] = slots.map(cookieOf);

/** Begins the text that is signed, so that a value of another cookie never fits. No part contains a space. */
const lead = "account";

interface Needs {
  config: CookieConfig & Pick<GatewayConfig, "multiSession" | "session">;
  ring: SecretRing;
  clock: () => number;
}

/** Creates the functions that write a session as a signed text, and read it. */
const createFormat = ({ ring, clock }: Pick<Needs, "clock" | "ring">) => ({
  parse: (slot: number, signed: string): DeviceSession | undefined => {
    const [kind, token, id, flag, until] = verifySignedValue(ring, signed)?.split(" ") ?? [];
    if (kind !== lead || !token || !id || Number(until) * 1000 <= clock()) return undefined;
    const userId = Buffer.from(id, "base64url").toString();
    return { slot, token, userId, browserSession: flag === marker };
  },
  format: ({ token, userId, maxAgeSeconds }: NonNullable<DeviceSessionChange["session"]>) => {
    const until = Math.floor(clock() / 1000) + (maxAgeSeconds ?? browserSessionSeconds);
    const id = Buffer.from(userId).toString("base64url");
    const flag = maxAgeSeconds === null ? marker : "";
    return signValue(ring, [lead, token, id, flag, until].join(" "));
  },
});

/** Creates the readers of the cookies in a header: those of slots, and those that better-auth has set with the token in their names. */
const createReaders = (app: FastifyInstance, { config, ring, clock }: Needs) => {
  const { parse } = createFormat({ ring, clock });
  const names = slots.map((slot) => describeCookie(config, cookieOf(slot)).name);
  const takenOver = describeCookie(config, "session_token_multi-").name;
  return {
    readSlots: (header: string): DeviceSession[] => {
      const valuesOf = parseCookieValues(app, header);
      return names.flatMap((name, slot) =>
        valuesOf(name).flatMap((signed) => parse(slot, signed) ?? []),
      );
    },
    readTakenOver: (header: string): { token: string; suffix: string }[] => {
      if (!header.includes(takenOver)) return [];
      return Object.entries(app.parseCookie(header)).flatMap(([name, value]) => {
        const suffix = name.startsWith(takenOver) ? name.slice(takenOver.length) : "";
        const token = /^[a-z0-9]+$/i.test(suffix) ? verifySignedValue(ring, value) : undefined;
        return token === undefined ? [] : [{ token, suffix }];
      });
    },
  };
};

/**
 * Creates the reader and writer of the sessions of different users that one browser holds, each in a signed cookie of its slot. A cookie names
 * its user, so that a sign-out also clears ended sessions of that user (ADR 119).
 */
export const createDeviceSessionCookies = (app: FastifyInstance, needs: Needs) => {
  const { readSlots, readTakenOver } = createReaders(app, needs);
  const { format } = createFormat(needs);
  const tokenName = describeCookie(needs.config, "session_token").name;

  /** Returns the sessions that a browser holds, the active one first. One of a cookie without a slot has none. */
  const read = (
    header: string | undefined,
    { token, browserSession }: Pick<SessionCookies, "browserSession" | "token">,
  ): DeviceSession[] => {
    if (header === undefined) return [];
    // A bearer token is the application's, and is moved into no cookie.
    const isInCookie = token !== undefined && parseCookieValues(app, header)(tokenName).length > 0;
    const all: DeviceSession[] = [
      ...readSlots(header),
      ...(isInCookie ? [{ token, browserSession }] : []),
      ...readTakenOver(header).map((one) => ({ token: one.token, browserSession: false })),
    ];
    const seen = new Set<string>();
    return all
      .filter((one) => !seen.has(one.token) && seen.add(one.token))
      .slice(0, valuesMax)
      .toSorted((one, other) => Number(other.token === token) - Number(one.token === token));
  };

  const apply = (writer: CookieWriter, { slot, session }: DeviceSessionChange): string[] =>
    session
      ? writer.set(cookieOf(slot), format(session), session.maxAgeSeconds ?? undefined)
      : writer.clear(cookieOf(slot));

  /** The slot of a session follows its extension and its replacement. An impersonation has no slot. */
  const follow = (
    writer: CookieWriter,
    { parks, token, maxAgeSeconds }: Extract<SessionEffect, { kind: "issue" }>,
    { held, header }: { held: SessionCookies; header: string },
  ): string[] => {
    const inSlots = parks ? [] : readSlots(header);
    const { slot, userId } =
      inSlots.find((one) => one.token === token) ??
      inSlots.find((one) => one.token === held.token) ??
      {};
    if (slot === undefined || userId === undefined) return [];
    return apply(writer, { slot, session: { token, userId, maxAgeSeconds } });
  };

  /** Returns the cookies by which an effect changes the device sessions of a browser that sent a `Cookie` header. */
  const write = (
    writer: CookieWriter,
    effect: SessionEffect,
    { held, header = "" }: { held: SessionCookies; header?: string | undefined },
  ): string[] => {
    const changes = "deviceSessions" in effect ? effect.deviceSessions : undefined;
    if (!changes) return effect.kind === "issue" ? follow(writer, effect, { held, header }) : [];
    const moved = readTakenOver(header).flatMap(({ suffix }) =>
      writer.clear(`session_token_multi-${suffix}`),
    );
    return [...changes.flatMap((change) => apply(writer, change)), ...moved];
  };

  return { read, write };
};
