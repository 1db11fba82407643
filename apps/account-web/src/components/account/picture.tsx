import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { facts } from "../../facts.ts";
import { mayLoadPicture } from "./may-load-picture.ts";

/** The places that decide about pictures on this page. */
export const picturePlaces = {
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
  /** The size of a picture in the header. */
  isSmall?: boolean;
  /** An organization has a square one. */
  isSquare?: boolean;
}

const sizeOf = ({ isLarge, isSmall }: Pick<PictureProps, "isLarge" | "isSmall">): string => {
  if (isLarge) return "size-16 text-lg";
  return isSmall ? "size-7" : "size-9";
};

/** Shows a picture, or initials if there is none, if it may not be loaded, or if it cannot be loaded. */
export const Picture = ({ name, address, ...look }: PictureProps) => (
  <Avatar
    name={name}
    picture={address && mayLoadPicture(address, picturePlaces) ? address : undefined}
    isSquare={look.isSquare}
    className={sizeOf(look)}
  />
);
