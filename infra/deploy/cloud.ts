import type { Template } from "./assembly.ts";

export interface Identity {
  /** Twelve digits. */
  readonly account: string;
  readonly arn: string;
}

export interface StackState {
  readonly name: string;
  /** CloudFormation's word, such as UPDATE_COMPLETE. */
  readonly status: string;
  readonly outputs: ReadonlyMap<string, string>;
}

export interface SecretState {
  readonly name: string;
  readonly description: string;
  /** False: nobody has put a value in yet. */
  readonly hasValue: boolean;
}

export interface Concurrency {
  /** Of the AWS account, in the region. */
  readonly limit: number;
  /** Of it, what no function has reserved. */
  readonly unreserved: number;
}

/** What a deployment asks AWS before it begins; nothing here changes anything. Rejects with the SDK's errors. */
export interface Cloud {
  /** Rejects where none is set. */
  region(): Promise<string>;
  identity(): Promise<Identity>;
  /** All of the region, deleted ones left out. */
  stacks(): Promise<readonly StackState[]>;
  template(stack: string): Promise<Template>;
  /** Those whose description begins so. */
  secrets(description: string): Promise<readonly SecretState[]>;
  concurrency(): Promise<Concurrency>;
  /** What the function has reserved; 0: nothing. */
  reserved(functionName: string): Promise<number>;
}
