import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";
import { pictureErrors, pictureText, servesPicture } from "../../picture.ts";
import { permissionQuestion, permissionVerdict } from "../permissions.ts";
import {
  fullOrganization,
  id,
  memberSchema,
  ofMember,
  ofOrganizationFields,
  organizationInput,
  organizationObject,
  organizationRow,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

export const createOrganizationBody = {
  ...organizationInput,
  logo: organizationInput.logo.nullable(),
  /** Only services may set it; ignored otherwise. */
  userId: z
    .union([plainText(255), z.number(), z.boolean()])
    .transform(String)
    .optional(),
};
export const createOrganizationErrors = [
  "FIELD_IS_REQUIRED",
  "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION",
  "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS",
  "ORGANIZATION_ALREADY_EXISTS",
] as const;
export const createdOrganization = organizationObject
  .extend({ members: z.array(memberSchema) })
  .meta(ofOrganizationFields);

const updateErrors = [
  "TWO_FACTOR_REQUIRED",
  "ORGANIZATION_NOT_FOUND",
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
] as const;

/** Organizations themselves, and the active organization of a session. */
export const organizationLifeOperations = operationGroup("Organizations", {
  createOrganization: operation({
    ...ofMember,
    name: "createOrganization",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/create",
    summary: "Creates an organization, with the caller as its first owner.",
    body: z
      .looseObject({
        ...createOrganizationBody,
        keepCurrentActiveOrganization: z.boolean().optional(),
      })
      .meta({ inputFieldsOf: "organization" }),
    reply: createdOrganization,
    errors: createOrganizationErrors,
  }),
  checkSlug: operation({
    ...ofMember,
    name: "checkSlug",
    stepUp: stepUps.reads,
    method: "POST",
    path: "/organization/check-slug",
    summary: "Returns whether a slug is available.",
    body: z.object({ slug: organizationInput.slug }),
    reply: z.object({ status: z.boolean() }),
    errors: ["SLUG_IS_TAKEN"],
    repeatable: true,
    sharesCalls: true,
  }),
  updateOrganization: operation({
    ...ofMember,
    name: "updateOrganization",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/update",
    summary: "Changes members of an organization; metadata is replaced as a whole.",
    signedOut: ["USER_NOT_FOUND", 401],
    body: z.object({
      data: z
        .looseObject({ ...organizationInput, logo: organizationInput.logo.nullable() })
        .partial()
        .meta({ inputFieldsOf: "organization" }),
      organizationId: id.optional(),
    }),
    reply: organizationObject,
    errors: [...updateErrors, "ORGANIZATION_ALREADY_EXISTS", "FIELD_IS_REQUIRED"],
  }),
  uploadOrganizationPicture: operation({
    ...ofMember,
    name: "uploadOrganizationPicture",
    stepUp: stepUps.ordinary,
    rateClass: "moderate",
    method: "POST",
    path: "/organization/upload-picture",
    summary: "Stores a picture of an organization, and makes its address the logo.",
    signedOut: ["USER_NOT_FOUND", 401],
    body: z.object({ picture: pictureText, organizationId: id.optional() }),
    reply: organizationObject,
    errors: [...updateErrors, ...pictureErrors],
  }),
  getOrganizationPicture: operation({
    ...servesPicture,
    name: "getOrganizationPicture",
    owner: "organization",
    feature: "organization",
    path: "/organization/picture/{hash}",
    summary: "Serves the picture of an organization.",
  }),
  deleteOrganization: operation({
    ...ofMember,
    name: "deleteOrganization",
    stepUp: stepUps.deletesOrganization,
    method: "POST",
    path: "/organization/delete",
    summary: "Deletes an organization with everything in it.",
    body: z.object({ organizationId: id }),
    reply: organizationRow,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "ORGANIZATION_NOT_FOUND",
      "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
      "FORBIDDEN",
    ],
  }),
  setActiveOrganization: operation({
    ...ofMember,
    name: "setActiveOrganization",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/set-active",
    summary: "Sets the active organization of the session, by slug or id; null means none.",
    refusesApiKeys: true,
    body: z.object({
      organizationId: id.nullable().optional(),
      organizationSlug: id.optional(),
    }),
    reply: fullOrganization.nullable(),
    errors: ["TWO_FACTOR_REQUIRED", ["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 403]],
  }),
  getFullOrganization: operation({
    ...ofMember,
    name: "getFullOrganization",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-full-organization",
    summary: "Shows an organization with its members, invitations and teams.",
    query: z.object({
      organizationId: id.optional(),
      organizationSlug: id.optional(),
      /** The most members in the reply. */
      membersLimit: z.coerce.number().int().min(1).optional(),
    }),
    reply: fullOrganization.nullable(),
    errors: ["TWO_FACTOR_REQUIRED", ["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 403]],
    repeatable: true,
    sharesCalls: true,
  }),
  getOrganization: operation({
    ...ofMember,
    name: "getOrganization",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-organization",
    summary: "Shows an organization without its contents.",
    query: z.object({ organizationId: id.optional(), organizationSlug: id.optional() }),
    reply: organizationRow.nullable(),
    errors: ["TWO_FACTOR_REQUIRED", ["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 403]],
    repeatable: true,
    sharesCalls: true,
  }),
  listOrganizations: operation({
    ...ofMember,
    name: "listOrganizations",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list",
    summary: "Lists the organizations that the caller is a member of.",
    reply: z.array(organizationRow),
    errors: [],
    repeatable: true,
    sharesCalls: true,
  }),
  hasOrganizationPermission: operation({
    ...ofMember,
    name: "hasOrganizationPermission",
    stepUp: stepUps.reads,
    method: "POST",
    path: "/organization/has-permission",
    summary:
      "Returns whether the caller's roles in an organization allow all of the named actions.",
    body: permissionQuestion.safeExtend({ organizationId: id.optional() }),
    reply: permissionVerdict,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      ["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 401],
    ],
    repeatable: true,
    sharesCalls: true,
  }),
});
