import headgate = require('headgate')
import gate = require('headgate/gate')
import testing = require('headgate/testing')
import opentelemetry = require('headgate/opentelemetry')

export const entries = [headgate, gate, testing, opentelemetry]
