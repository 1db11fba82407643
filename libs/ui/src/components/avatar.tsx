import { useState } from "react";
import { classNames } from "./class-names.ts";
import { initialsOf } from "./initials-of.ts";

/** Grounds and letters, each pair with a contrast of at least 4.5. */
const hues = [
  "bg-[light-dark(#e3ecff,#1c2c4f)] text-[light-dark(#1e429f,#a9c4ff)]",
  "bg-[light-dark(#dff5ec,#113529)] text-[light-dark(#0b5c43,#86dcbb)]",
  "bg-[light-dark(#fdeeda,#3b2a12)] text-[light-dark(#7c4100,#f2c07c)]",
  "bg-[light-dark(#f4e8ff,#33214d)] text-[light-dark(#6b21a8,#d5b3ff)]",
  "bg-[light-dark(#ffe6ec,#451b28)] text-[light-dark(#9f1239,#ffabbf)]",
  "bg-[light-dark(#dff3f9,#103543)] text-[light-dark(#0c546b,#8bd5ee)]",
  "bg-[light-dark(#eef2d9,#2a3012)] text-[light-dark(#4a5a05,#c9da7d)]",
  "bg-[light-dark(#eceef2,#2b313b)] text-[light-dark(#454c59,#c3cad6)]",
];

/** Returns the same hue for the same key. */
const hueOf = (key: string): string => {
  let hash = 7;
  for (const letter of key) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hues[hash % hues.length] ?? "";
};

interface AvatarProps {
  /** The name, of which it shows the initials. */
  name: string;
  /** The colour follows from it. By default from the name. */
  id?: string | undefined;
  /** The address of a picture that may be loaded. Its server learns who views it. */
  picture?: string | undefined;
  /** An organization has a square one. */
  isSquare?: boolean | undefined;
  className?: string | undefined;
}

/** Shows a picture, or the initials of a name if there is none or if it cannot be loaded. The name is written beside it. */
export const Avatar = ({ name, id = name, picture, isSquare, className }: AvatarProps) => {
  const [failed, setFailed] = useState<string>();
  const shape = classNames("ui-avatar", isSquare ? "rounded-md" : "rounded-full", className);
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
    <span aria-hidden="true" className={classNames(shape, hueOf(id))}>
      {initialsOf(name)}
    </span>
  );
};
