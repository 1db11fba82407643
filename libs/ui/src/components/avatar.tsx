import { useState } from "react";
import { classNames } from "./class-names.ts";
import { initialsOf } from "./initials-of.ts";

/** The hues of `ui-hue-0` and so on in the style sheet. */
const hueCount = 8;

/** Returns the same hue for the same name. */
const hueOf = (name: string): string => {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return `ui-hue-${hash % hueCount}`;
};

interface AvatarProps {
  /** The name, of which it shows the initials. The colour follows from it. */
  name: string;
  /** The address of a picture that may be loaded. Its server learns who views it. */
  picture?: string | undefined;
  /** An organization has a square one, which shows its logo as a whole. */
  isSquare?: boolean | undefined;
  className?: string | undefined;
}

/** Shows a picture, or the initials of a name if there is none or if it cannot be loaded. The name is written beside it. */
export const Avatar = ({ name, picture, isSquare, className }: AvatarProps) => {
  const [failed, setFailed] = useState<string>();
  const shape = classNames(
    "ui-avatar",
    isSquare ? "rounded-md object-contain" : "rounded-full",
    className,
  );
  if (picture !== undefined && picture !== failed)
    return (
      <img
        src={picture}
        alt=""
        referrerPolicy="no-referrer"
        className={shape}
        onError={() => setFailed(picture)}
      />
    );
  return (
    <span aria-hidden="true" className={classNames(shape, hueOf(name))}>
      {initialsOf(name)}
    </span>
  );
};
