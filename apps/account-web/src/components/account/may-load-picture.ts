/** The places that decide about a picture. */
export interface PicturePlaces {
  /** The origins that the operator lists for pictures. */
  pictureOrigins: readonly string[];
  ownOrigin: string;
  /** The path of our operations. */
  basePath: string;
}

/** The part of the path below that of our operations. */
const uploadedPath = /^\/(?:organization\/)?picture\/[\w-]{43}$/;

/** Returns whether an address is that of an uploaded picture, which we serve without a look at the session. */
export const isUploadedPicture = (
  address: string,
  { ownOrigin, basePath }: Pick<PicturePlaces, "basePath" | "ownOrigin">,
): boolean => {
  const url = URL.parse(address);
  return (
    url?.origin === ownOrigin &&
    url.pathname.startsWith(basePath) &&
    uploadedPath.test(url.pathname.slice(basePath.length)) &&
    url.search === ""
  );
};

/**
 * Returns whether the picture of a user or an organization is loaded. Other users choose its address, so only listed origins count, even
 * where the content security policy allows more for the logo. Uploaded pictures are loaded. Another operation is never loaded: the request
 * would carry the session of the viewer, and could follow a link to sign in.
 */
export const mayLoadPicture = (
  address: string,
  { pictureOrigins, ownOrigin, basePath }: PicturePlaces,
): boolean => {
  if (isUploadedPicture(address, { ownOrigin, basePath })) return true;
  const url = URL.parse(address);
  if (!url || !pictureOrigins.includes(url.origin)) return false;
  return url.origin !== ownOrigin || !url.pathname.startsWith(`${basePath}/`);
};
