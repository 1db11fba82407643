/** The places that decide about a picture. */
export interface PicturePlaces {
  /** The origins that the operator lists for pictures. */
  pictureOrigins: readonly string[];
  ownOrigin: string;
  /** The path of our operations. */
  basePath: string;
}

/**
 * Returns whether the picture of a user or an organization is loaded. Other users choose its address, so only listed origins count, even
 * where the content security policy allows more for the logo. An operation is never loaded: the request would carry the session of the
 * viewer, and could follow a link to sign in.
 */
export const mayLoadPicture = (
  address: string,
  { pictureOrigins, ownOrigin, basePath }: PicturePlaces,
): boolean => {
  const url = URL.parse(address);
  if (!url || !pictureOrigins.includes(url.origin)) return false;
  return url.origin !== ownOrigin || !url.pathname.startsWith(`${basePath}/`);
};
