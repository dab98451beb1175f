import { writePage } from "./write.ts";

writePage();
