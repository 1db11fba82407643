import { type Caller, type KeptName, keptListSeparator } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";

/** Users of one browser with a value in one cookie. One more takes the slot that was written least recently. */
const slotsMax = 5;

/** One user's value in a cookie. A cookie of an earlier release has one value, which does not say whose it is. */
interface Slot {
  tag: string;
  value: string;
}

/** Names a user without showing the id to other users of the browser. */
const tagOf = (userId: string): string => hashToken(userId).toString("base64url").slice(0, 12);

/** The cookie of a caller, and the user whose slot is meant. */
export interface SlotOwner {
  name: KeptName;
  userId: string;
  caller: Pick<Caller, "kept">;
}

const readSlots = ({ caller: { kept }, name }: SlotOwner): Slot[] =>
  (kept?.[name] ?? "")
    .split(keptListSeparator)
    .filter((slot) => slot !== "")
    .map((slot) => {
      const [value = "", tag = ""] = slot.split(".", 2).toReversed();
      return { tag, value };
    });

/** Returns the values that may be the user's. */
export const slotValuesOf = (owner: SlotOwner): string[] => {
  const tag = tagOf(owner.userId);
  return readSlots(owner)
    .filter((slot) => slot.tag === tag || slot.tag === "")
    .map(({ value }) => value)
    .slice(0, slotsMax);
};

/** Returns whether the cookie has a slot of the user. */
export const hasSlot = (owner: SlotOwner): boolean => {
  const tag = tagOf(owner.userId);
  return readSlots(owner).some((slot) => slot.tag === tag);
};

/**
 * Returns the cookie with the user's value replaced, and those of other users as they are. Null if no value is left. `former` is a value
 * without a tag that turned out to be the user's.
 */
export const replaceSlot = (
  owner: SlotOwner,
  next: { value: string; former?: string | undefined } | undefined,
): string | null => {
  const tag = tagOf(owner.userId);
  const others = readSlots(owner).filter((slot) => slot.tag !== tag && slot.value !== next?.former);
  const slots = [...(next ? [{ tag, value: next.value }] : []), ...others].slice(0, slotsMax);
  if (slots.length === 0) return null;
  return slots
    .map((slot) => (slot.tag === "" ? slot.value : `${slot.tag}.${slot.value}`))
    .join(keptListSeparator);
};
