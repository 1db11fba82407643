import { z } from "zod";
import { operation } from "../../operation.ts";
import { emailAddress } from "../../email-schemas.ts";
import { imageLengthMax, plainText, urlText } from "../../plain-text.ts";
import { pictureErrors, pictureText, servesPicture } from "../../picture.ts";
import { stepUps } from "../../step-up.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const deleted = z.object({ success: z.boolean(), message: z.string() });

const deletionLink = z.object({ token: plainText(1024), callbackURL: urlText.optional() });
const deletion = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  path: "/delete-user/callback",
  reply: deleted,
  errors: [
    "NOT_FOUND",
    "FORBIDDEN",
    ["FAILED_TO_GET_USER_INFO", 404],
    ["INVALID_TOKEN", 404],
    "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
    "INVALID_CALLBACKURL",
  ],
  access: "anyone",
  redirects: ["callbackURL"],
  mayRedirect: true,
  mailedLink: true,
} as const;

const undo = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  path: "/change-email/undo",
  reply: status,
  errors: ["INVALID_TOKEN", "EMAIL_ALREADY_IN_USE", "FAILED_TO_UPDATE_USER"],
  access: "anyone",
  mailedLink: true,
} as const;
const undoLink = z.object({ token: plainText(1024) });

/** Operations of users on their own profile. */
export const profileOperations = operationGroup("Profile", {
  updateUser: operation({
    name: "updateUser",
    stepUp: stepUps.removesPhone,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/update-user",
    summary:
      "Changes the caller's name, image, username and additional fields, and removes the phone number.",
    body: z
      .looseObject({
        name: plainText(1024).optional(),
        image: plainText(imageLengthMax).nullable().optional(),
        username: plainText(255).optional(),
        displayUsername: plainText(255).optional(),
        phoneNumber: plainText(64)
          .nullable()
          .optional()
          .describe("Null removes it. `/phone-number/verify` sets one."),
      })
      .meta({ inputFieldsOf: "user" }),
    reply: status,
    errors: [
      "USERNAME_IS_TOO_SHORT",
      "USERNAME_IS_TOO_LONG",
      "USERNAME_IS_INVALID",
      "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
      "EMAIL_CAN_NOT_BE_UPDATED",
      "PHONE_NUMBER_CANNOT_BE_UPDATED",
      "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN",
      "FAILED_TO_UPDATE_USER",
      "FIELD_IS_REQUIRED",
    ],
    access: "session",
    admitsGuests: true,
    waysIn: ["username", "displayUsername", "phoneNumber"],
  }),
  uploadPicture: operation({
    name: "uploadPicture",
    stepUp: stepUps.ordinary,
    owner: "identity",
    exposure: "public",
    rateClass: "moderate",
    method: "POST",
    path: "/upload-picture",
    summary: "Stores a picture of the caller, and makes its address their image.",
    body: z.object({ picture: pictureText }),
    reply: z.object({ image: z.string().nullable() }),
    errors: [...pictureErrors, "FAILED_TO_UPDATE_USER"],
    access: "session",
  }),
  getPicture: operation({
    ...servesPicture,
    name: "getPicture",
    owner: "identity",
    path: "/picture/{hash}",
    summary: "Serves the picture of a user.",
  }),
  changeEmail: operation({
    name: "changeEmail",
    stepUp: stepUps.wayIn,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/change-email",
    summary: "Changes the caller's address; a verified address confirms the change first.",
    body: z.object({ newEmail: emailAddress, callbackURL: urlText.optional() }),
    reply: status,
    errors: [
      "CHANGE_EMAIL_IS_DISABLED",
      "INVALID_EMAIL",
      "EMAIL_IS_THE_SAME",
      "COULDNT_UPDATE_YOUR_EMAIL",
      "VERIFICATION_EMAIL_ISNT_ENABLED",
      "FAILED_TO_UPDATE_USER",
      "INVALID_CALLBACKURL",
    ],
    access: "session",
    mailsOthers: true,
    refusesImpersonators: true,
    refusesApiKeys: true,
    redirects: ["callbackURL"],
  }),
  undoEmailChange: operation({
    ...undo,
    name: "undoEmailChange",
    stepUp: stepUps.noSession,
    method: "GET",
    summary: "Shows the confirmation page of a mailed link that sets a former address back.",
    query: undoLink,
  }),
  undoEmailChangePost: operation({
    ...undo,
    name: "undoEmailChangePost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary:
      "Sets a former address back by the token of a mailed link, ends all sessions and mails a link to choose a new password.",
    body: undoLink,
  }),
  deleteUser: operation({
    name: "deleteUser",
    stepUp: stepUps.deletesUser,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/delete-user",
    summary: "Deletes the caller's account, or mails a link that does.",
    body: z.object({
      callbackURL: urlText.optional(),
      password: z.string().optional(),
      token: plainText(1024).optional(),
    }),
    reply: deleted,
    errors: [
      "NOT_FOUND",
      "CREDENTIAL_ACCOUNT_NOT_FOUND",
      "INVALID_PASSWORD",
      ["INVALID_TOKEN", 404],
      "UNABLE_TO_CREATE_VERIFICATION",
      "SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION",
      "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
      "INVALID_CALLBACKURL",
    ],
    access: "session",
    password: "checked",
    refusesImpersonators: true,
    refusesApiKeys: true,
    redirects: ["callbackURL"],
  }),
  deleteUserCallback: operation({
    ...deletion,
    name: "deleteUserCallback",
    stepUp: stepUps.noSession,
    method: "GET",
    summary:
      "Deletes the caller's account by the token of a mailed link, or shows a confirmation page first.",
    query: deletionLink,
  }),
  deleteUserCallbackPost: operation({
    ...deletion,
    name: "deleteUserCallbackPost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary: "Deletes the caller's account by the token of a mailed link.",
    body: deletionLink,
  }),
});
