import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. Give no two utilities for the same property: the style sheet decides which of them wins, and not their order here.
 * Classes of components, such as `ui-input`, give way to any utility.
 */
export const classNames = (...given: ClassValue[]): string => clsx(given);
