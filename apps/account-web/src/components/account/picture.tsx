import { initialsOf } from "@latchkey/ui/components/initials-of.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { useState } from "react";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { facts } from "../../facts.ts";
import { mayLoadPicture } from "./may-load-picture.ts";

/** The places that decide about pictures on this page. */
export const places = {
  pictureOrigins: facts.pictureOrigins,
  ownOrigin: window.location.origin,
  basePath: pageFacts.basePath,
};

interface PictureProps {
  /** The name of the user or organization, which is written beside it. */
  name: string;
  /** The address of its picture. */
  address?: string | null | undefined;
  /** The size of the picture in its editor. */
  isLarge?: boolean;
}

/** Shows a picture, or initials if there is none or if it cannot be loaded. */
export const Picture = ({ name, address, isLarge = false }: PictureProps) => {
  const size = isLarge ? "size-16" : "size-9";
  const [failed, setFailed] = useState<string>();
  if (address && address !== failed && mayLoadPicture(address, places))
    return (
      <img
        src={address}
        alt=""
        referrerPolicy="no-referrer"
        className={classNames(size, "shrink-0 rounded-full bg-sunken object-cover")}
        onError={() => setFailed(address)}
      />
    );
  return (
    <span
      aria-hidden="true"
      className={classNames(
        size,
        isLarge ? "text-lg" : "text-xs",
        "inline-flex shrink-0 items-center justify-center rounded-full bg-sunken font-semibold text-ink select-none",
      )}
    >
      {initialsOf(name)}
    </span>
  );
};
