import * as headgate from 'headgate'
import * as gate from 'headgate/gate'
import * as testing from 'headgate/testing'
import * as planning from 'headgate/planning'
import * as opentelemetry from 'headgate/opentelemetry'

export const entries = [headgate, gate, testing, planning, opentelemetry]
