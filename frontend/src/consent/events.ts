export type ButtonName = string;
