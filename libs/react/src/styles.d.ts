// Lets applications import the stylesheet under any configuration of TypeScript.
export {};
