"use client";

import { useLatchkeyContext } from "../latchkey-context.ts";
import { useSession } from "../session/use-session.ts";
import { Disclosure } from "./disclosure.tsx";
import { useAttempt } from "./use-attempt.ts";

export interface UserButtonProps {
  className?: string | undefined;
  /** Runs after the user has signed out, such as to leave a page for signed-in users. */
  onSignedOut?: (() => void) | undefined;
  /** Replaces the texts. */
  labels?: Partial<typeof defaultLabels> | undefined;
}

const defaultLabels = {
  open: "Account",
  manage: "Manage account",
  signOut: "Sign out",
  failed: "Signing out failed. Try again.",
};

const initialsMax = 2;

/** Returns the first letters of the first and the last word, in upper case. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s@]+/).filter(Boolean);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return [first, last]
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, initialsMax)
    .join("")
    .toLocaleUpperCase();
};

/** A button with the picture or the initials of the user. It opens the name, the email address, the account pages and "Sign out". */
export const UserButton = ({ className, onSignedOut, labels }: UserButtonProps) => {
  const { accountUrl } = useLatchkeyContext();
  const { user, signOut } = useSession();
  const { isPending, hasFailed, run } = useAttempt();
  if (!user) return null;
  const texts = { ...defaultLabels, ...labels };
  const picture = user.image ? (
    <img className="latchkey-avatar" src={user.image} alt="" />
  ) : (
    <span className="latchkey-avatar" aria-hidden="true">
      {initialsOf(user.name || user.email)}
    </span>
  );
  return (
    <Disclosure
      name="user-button"
      className={className}
      naming={{ title: `${texts.open}: ${user.name}` }}
      button={picture}
      problem={hasFailed ? texts.failed : ""}
    >
      {() => (
        <>
          <p className="latchkey-user-button-user">
            <span className="latchkey-user-button-name">{user.name}</span>
            <span className="latchkey-user-button-email">{user.email}</span>
          </p>
          <a className="latchkey-item" href={accountUrl}>
            {texts.manage}
          </a>
          <button
            type="button"
            className="latchkey-item"
            aria-disabled={isPending}
            onClick={() => run(signOut, () => onSignedOut?.())}
          >
            {texts.signOut}
          </button>
        </>
      )}
    </Disclosure>
  );
};
