import type { Template } from "./assembly.ts";

export interface Identity {
  /** Twelve digits. */
  readonly account: string;
  readonly arn: string;
}

export interface StackState {
  readonly name: string;
  /** CloudFormation's status, such as UPDATE_COMPLETE. */
  readonly status: string;
  readonly outputs: ReadonlyMap<string, string>;
}

export interface SecretState {
  readonly name: string;
  readonly description: string;
  /** False until somebody has put a value in. */
  readonly hasValue: boolean;
}

export interface Concurrency {
  /** The concurrency limit of the AWS account in this region. */
  readonly limit: number;
  /** The part of the limit that no function has reserved. */
  readonly unreserved: number;
}

/**
 * What a deployment reads from AWS before it begins. No call changes anything. Calls reject with the SDK's
 * errors.
 */
export interface Cloud {
  /** Rejects if no region is set. */
  region(): Promise<string>;
  identity(): Promise<Identity>;
  /** All stacks of the region, without deleted ones. */
  stacks(): Promise<readonly StackState[]>;
  template(stack: string): Promise<Template>;
  /** The secrets whose description begins with this text. */
  secrets(description: string): Promise<readonly SecretState[]>;
  concurrency(): Promise<Concurrency>;
  /** The concurrency that the function reserves; 0 if it reserves none or does not exist. */
  reserved(functionName: string): Promise<number>;
}
